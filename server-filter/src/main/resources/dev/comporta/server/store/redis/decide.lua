-- Decides requests in the order given, all limits of each as one. KEYS: of each request, of each of its
-- limits, its key and then its former keys. ARGV: how many limits there are, each limit; how many runs
-- of requests, each run: how many requests, and what these have in common: how often each is asked, its
-- cost, how many limits, and of each limit its place among those said, and how many former keys.
-- Replies: the time; of each request how often it was admitted, which is before it was ever refused, and
-- the state of every limit after the first time; or, in place of these, an error that is its own.
--
-- A state that several requests need is loaded once, and written once when all are decided; where keys
-- move, it is written at once.
local reply = { format('%.0f', nowMicros) }
local limits, at = {}, 2

for i = 1, tonumber(ARGV[1]) do
  local limit, next = limitAt(at)
  limits[i], at = limit or false, next
end

-- The number of the state that was loaded under a key. And by its number whether it was charged, once
-- it was asked for a decision.
local numberOf, isCharged = {}, {}

local function write(n, place, formers)
  if isCharged[n] then
    saveAsOwn(n, place, formers)
  elseif isCharged[n] == nil then
    return
  elseif isRebased[n] then
    save(n, holderOf[n])
  elseif holderOf[n] and call('PTTL', holderOf[n]) < lastsMillis(n) then
    -- Never expires (-1), or was written under a limit that forgets sooner than the one that refuses.
    call('PEXPIRE', holderOf[n], millisToLive(n))
  end
end

-- What the requests of a run have in common, and the numbers of the states of the present one.
local length, cost, limitsOfRun, formersOfRun, numbers = 0, 0, {}, {}, {}

-- The number of the state of the i-th limit: of the one loaded before, if it was for this limit.
local function find(i, place)
  local limit, formers = limitsOfRun[i], formersOfRun[i]
  if not limit then
    return nil, CALENDAR
  end
  for each = place, place + formers do
    local n = numberOf[KEYS[each]]
    if n and formers == 0 and limitOf[n] == limit then
      return n
    end
    if n then
      numberOf[KEYS[each]] = nil
      write(n)
    end
  end
  local n, fault = load(limit, place, formers, i)
  if n and formers == 0 then
    numberOf[KEYS[place]] = n
  end
  return n, fault
end

-- Redis 7 raises a table, before that it was a text that says where.
local function words(fault)
  local text = type(fault) == 'table' and fault.err or tostring(fault)
  return string.match(text, '%u%u+ .*') or text
end

-- Whether all limits pass at that cost.
local function areAllowed(total)
  for i = 1, length do
    local limit = limitsOfRun[i]
    if not limit.algorithm.isAllowed(limit, stateOf[numbers[i]], total) then
      return false
    end
  end
  return true
end

local function charge(total)
  for i = 1, length do
    local limit, n = limitsOfRun[i], numbers[i]
    limit.algorithm.charge(limit, stateOf[n], total)
    isCharged[n], textOf[n] = true, false
  end
end

-- How often more the request passes, so many times at most. A cost of n passes if n of cost 1 do, one
-- after another, and then the states are equal.
local function timesMore(most)
  if areAllowed(most * cost) then
    return most
  end
  local least, more = 0, most - 1
  while least < more do
    local middle = ceil((least + more) / 2)
    if areAllowed(middle * cost) then
      least = middle
    else
      more = middle - 1
    end
  end
  return least
end

local function decide(times)
  local outcome = #reply + 1
  local admitted = areAllowed(cost) and 1 or 0
  if admitted == 1 then
    charge(cost)
  end
  for i = 1, length do
    local n = numbers[i]
    isCharged[n] = isCharged[n] or false
    reply[outcome + i] = (isCharged[n] or holderOf[n]) and told(n, cost) or ''
  end
  if admitted == 1 and times > 1 then
    local more = timesMore(times - 1)
    if more > 0 then
      charge(more * cost)
      admitted = admitted + more
    end
  end
  reply[outcome] = admitted
end

local place = 1

for _ = 1, tonumber(ARGV[at]) do
  local requests, times = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  cost, length, at = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), at + 4
  for i = 1, length do
    limitsOfRun[i], formersOfRun[i], at = limits[tonumber(ARGV[at + 1])], tonumber(ARGV[at + 2]), at + 2
  end

  for _ = 1, requests do
    local first, fault = place, nil
    for i = 1, length do
      if not fault then
        local isRead, n, wrong = pcall(find, i, place)
        numbers[i], fault = n, not isRead and words(n) or wrong
      end
      place = place + 1 + formersOfRun[i]
    end
    if fault then
      reply[#reply + 1] = fault
    else
      decide(times)
      for i = 1, length do
        if formersOfRun[i] > 0 then
          write(numbers[i], first, formersOfRun[i])
        end
        first = first + 1 + formersOfRun[i]
      end
    end
  end
end

for n = 1, loaded do
  if numberOf[keyOf[n]] == n then
    write(n)
  end
end

return reply
