-- How the state of a limit is found and kept, whatever its algorithm. An algorithm puts itself under
-- the name that requests use for it, and mirrors the Java class of its file:
--   of(at)                 the limit that ARGV says from there on, and where the next one begins
--   new(), read(), text()  a state of a caller that never came; one from a text; the text of one
--   told(limit, state, cost)  what Java needs to compute the numbers of the answer; else the text
--   rebase, isAllowed, charge, effectEndsAtMicros, and for changes surcharge, refund, grant
--
-- A script makes its functions anew each time it runs, which costs more than what they compute. So
-- there are few, and a request brings only the algorithms that it needs.
local ALGORITHMS = {}

-- The keys of the request that is being answered, where a script answers several.
local KEYS = KEYS
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max
local tonumber, format = tonumber, string.format

local function lastsMillis(part)
  return ceil(max(0, part.algorithm.effectEndsAtMicros(part.limit, part.state) - nowMicros) / 1000)
end

local function millisToLive(part)
  return format('%.0f', lastsMillis(part) + SLACK_MILLIS)
end

-- The i-th limit of the request, said from ARGV[at] on by algorithm, places of the first and the last
-- former key in KEYS or 0, and what else the algorithm reads. Its holder is the key that has the state,
-- if any has: its own, else the newest of the former ones, which come first.
local function load(i, at)
  local algorithm = ALGORITHMS[ARGV[at]]
  local limit, next = algorithm.of(at + 2)
  if not limit then
    return nil, redis.error_reply('CALENDAR the clocks of Redis and of this node differ by more than a day')
  end
  local part = { algorithm = algorithm, limit = limit, key = KEYS[i], holder = KEYS[i] }
  local value = redis.call('GET', part.key)
  if not value and ARGV[at + 1] ~= '0' then
    local first, last = string.match(ARGV[at + 1], '^(%d+) (%d+)$')
    part.firstFormer, part.lastFormer = tonumber(first), tonumber(last)
    local place = part.firstFormer
    while not value and place <= part.lastFormer do
      part.holder = KEYS[place]
      value = redis.call('GET', part.holder)
      place = place + 1
    end
  end
  if not value then
    part.state, part.holder = algorithm.new(), nil
    return part, next
  end
  part.state = algorithm.read(value)
  if not part.state then
    return nil, redis.error_reply('UNREADABLE the state of limit ' .. i .. ' is not one of its algorithm')
  end
  part.isRebased = algorithm.rebase(limit, part.state)
  part.text = not part.isRebased and value
  return part, next
end

local function save(part, key)
  part.text = part.algorithm.text(part.state)
  redis.call('SET', key, part.text, 'PX', millisToLive(part))
end

-- Under its own key from now on. What older former keys hold has counted for nothing, and never will.
local function saveAsOwn(part)
  save(part, part.key)
  if part.holder and part.holder ~= part.key then
    redis.call('DEL', unpack(KEYS, part.firstFormer, part.lastFormer))
  end
  part.holder = part.key
end

local function told(part, cost)
  if not part.holder then
    return ''
  end
  local algorithm = part.algorithm
  if algorithm.told then
    return algorithm.told(part.limit, part.state, cost)
  end
  return part.text or algorithm.text(part.state)
end
