-- How the state of a limit is found and kept, whatever its algorithm. An algorithm puts itself under
-- the name that requests use for it, and mirrors the Java class of its file:
--   of(at)                 the limit that ARGV says from there on, and where the next one begins
--   new()                  the state of a caller that never came
--   read(text, limit), text(state, limit)  a state from its text, and back
--   told(limit, state, cost)  what Java needs to compute the numbers of the answer; else the text
--   rebase, isAllowed, charge, effectEndsAtMicros, and for changes surcharge, refund, grant
--
-- A script makes its functions anew each time it runs, which costs more than what they compute. So
-- there are few, and a request brings only the algorithms that it needs. A table with names is dear as
-- well: one for each limit that is said, none for each caller.
local ALGORITHMS = {}

local KEYS, ARGV, call = KEYS, ARGV, redis.call
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local tonumber, format = tonumber, string.format

-- What is known of each state that was loaded, by its number. The holder is the key that has it, if any
-- has: its own, else the newest of the former ones. The text is that of the state, while it is known.
local loaded = 0
local limitOf, keyOf, holderOf, stateOf, textOf, isRebased = {}, {}, {}, {}, {}, {}

-- The limit said from ARGV[at] on, if it has a window now, and where the next one begins.
local function limitAt(at)
  local algorithm = ALGORITHMS[ARGV[at]]
  local limit, next = algorithm.of(at + 1)
  if limit then
    limit.algorithm = algorithm
  end
  return limit, next
end

local CALENDAR = 'CALENDAR the clocks of Redis and of this node differ by more than a day'

-- The number of the state of that limit, the i-th of its request, or what is wrong. KEYS says its own
-- key, then so many former ones, the newest first.
local function load(limit, at, formers, i)
  local holder = KEYS[at]
  local value = call('GET', holder)
  local place = at + 1
  while not value and place <= at + formers do
    holder = KEYS[place]
    value = call('GET', holder)
    place = place + 1
  end
  local state, wasRebased = nil, false
  if value then
    state = limit.algorithm.read(value, limit)
    if not state then
      return nil, 'UNREADABLE the state of limit ' .. i .. ' is not one of its algorithm'
    end
    wasRebased = limit.algorithm.rebase(limit, state)
  end
  loaded = loaded + 1
  limitOf[loaded], keyOf[loaded], holderOf[loaded] = limit, KEYS[at], value and holder
  stateOf[loaded] = state or limit.algorithm.new()
  textOf[loaded], isRebased[loaded] = not wasRebased and value, wasRebased
  return loaded
end

local function lastsMillis(n)
  local limit = limitOf[n]
  return ceil(max(0, limit.algorithm.effectEndsAtMicros(limit, stateOf[n]) - nowMicros) / 1000)
end

local function millisToLive(n)
  return format('%.0f', lastsMillis(n) + SLACK_MILLIS)
end

local function text(n)
  local known = textOf[n]
  if not known then
    known = limitOf[n].algorithm.text(stateOf[n], limitOf[n])
    textOf[n] = known
  end
  return known
end

local function save(n, key)
  call('SET', key, text(n), 'PX', millisToLive(n))
end

-- Under its own key from now on. What older former keys hold has counted for nothing, and never will.
local function saveAsOwn(n, at, formers)
  save(n, keyOf[n])
  if holderOf[n] and holderOf[n] ~= keyOf[n] then
    call('DEL', unpack(KEYS, at + 1, at + formers))
  end
  holderOf[n] = keyOf[n]
end

-- What the reply says of a state that some key holds or will hold.
local function told(n, cost)
  local limit = limitOf[n]
  if limit.algorithm.told then
    return limit.algorithm.told(limit, stateOf[n], cost)
  end
  return text(n)
end
