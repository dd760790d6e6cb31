-- Mirrors SlidingWindowCounter.java, where the arithmetic is explained. A state is {segment, phase} and
-- n, first, last of each counter, newest first. A text says the last of the newest counter, then how
-- long before it its first was, and n; of each other one the same, but how long before the first of
-- the newer one its last was.
local SEGMENT, PHASE, NEWEST, FIRST, LAST, LONGS = 1, 2, 3, 1, 2, 3
local SlidingWindowCounter = {}
ALGORITHMS.sw = SlidingWindowCounter

function SlidingWindowCounter.of(at)
  local limit = {
    permits = tonumber(ARGV[at]),
    window = tonumber(ARGV[at + 1]),
    segment = tonumber(ARGV[at + 2]),
    estimate = ARGV[at + 3],
  }
  return limit, at + 4
end

function SlidingWindowCounter.new()
  return { 0, 0 }
end

function SlidingWindowCounter.read(text)
  local state = {}
  for number in string.gmatch(text, '%d+') do
    state[#state + 1] = tonumber(number)
  end
  if #state < 2 or #state % LONGS ~= 2 or state[SEGMENT] == 0 or not string.find(text, '^%d[ %d]*$') then
    return nil
  end
  local newer = 0
  for at = NEWEST, #state, LONGS do
    local last = newer == 0 and state[at] or newer - state[at]
    newer = last - state[at + 1]
    state[at], state[at + FIRST], state[at + LAST] = state[at + 2], newer, last
  end
  return state
end

function SlidingWindowCounter.text(state)
  local texts = { format('%.0f %.0f', state[SEGMENT], state[PHASE]) }
  local newer = 0
  for at = NEWEST, #state, LONGS do
    local first, last = state[at + FIRST], state[at + LAST]
    local gap = newer == 0 and last or newer - last
    texts[#texts + 1] = format('%.0f %.0f %.0f', gap, last - first, state[at])
    newer = first
  end
  return table.concat(texts, ' ')
end

function SlidingWindowCounter.rebase(_, state)
  local step = state[NEWEST] and state[NEWEST + LAST] - nowMicros or 0
  if step <= 0 then
    return false
  end
  for at = NEWEST, #state, LONGS do
    state[at + FIRST], state[at + LAST] = state[at + FIRST] - step, state[at + LAST] - step
  end
  state[PHASE] = (state[PHASE] - step) % state[SEGMENT]
  return true
end

local function startOf(limit, own, micros)
  return micros - (micros - own[PHASE]) % limit.segment
end

-- Puts counters together that share a segment.
local function regroup(limit, state)
  local length = #state
  state[SEGMENT], state[PHASE] = limit.segment, 0
  local to = NEWEST
  for from = NEWEST + LONGS, length, LONGS do
    if startOf(limit, state, state[from + LAST]) >= startOf(limit, state, state[to + FIRST]) then
      state[to] = state[to] + state[from]
      state[to + FIRST] = min(state[to + FIRST], state[from + FIRST])
    else
      to = to + LONGS
      state[to], state[to + FIRST], state[to + LAST] = state[from], state[from + FIRST], state[from + LAST]
    end
  end
  for i = length, to + LONGS, -1 do
    state[i] = nil
  end
end

-- The counters in the grid of this limit: the state itself, or a copy that was regrouped.
local function aligned(limit, state)
  if state[SEGMENT] == limit.segment or not state[NEWEST] then
    return state
  end
  local copy = {}
  for i = 1, #state do
    copy[i] = state[i]
  end
  regroup(limit, copy)
  return copy
end

-- The span of a counter.
local function spanOf(limit, own, at)
  local first, last = own[at + FIRST], own[at + LAST]
  if limit.estimate == 'STRICT' then
    return last, last
  end
  if limit.estimate == 'OBSERVED' then
    return first, last
  end
  local start = startOf(limit, own, first)
  if last >= start + limit.segment then
    return first, last
  end
  local older = at + LONGS
  local isShared = own[older] and own[older + LAST] >= start
  return isShared and first or start, start + limit.segment
end

local function countedIn(limit, own)
  local x = nowMicros - limit.window
  local sum = 0
  for at = NEWEST, #own, LONGS do
    if x > own[at + FIRST] - limit.segment then
      local a, b = spanOf(limit, own, at)
      if x >= b then
        return sum
      end
      if x >= a then
        local whole, rest = ratio(own[at], b - x, 0, b - a)
        return sum + whole + (rest > 0 and 1 or 0)
      end
    end
    sum = sum + own[at]
  end
  return sum
end

function SlidingWindowCounter.isAllowed(limit, state, cost)
  return countedIn(limit, aligned(limit, state)) + cost <= limit.permits
end

-- Whether a counter counts nothing any more by any estimate.
local function isOver(limit, state, at)
  return startOf(limit, state, state[at + LAST]) + limit.segment + limit.window <= nowMicros
end

function SlidingWindowCounter.charge(limit, state, cost)
  if state[SEGMENT] ~= limit.segment then
    regroup(limit, state)
  end
  if state[NEWEST]
    and startOf(limit, state, state[NEWEST + FIRST]) == startOf(limit, state, nowMicros) then
    state[NEWEST], state[NEWEST + LAST] = state[NEWEST] + cost, nowMicros
    return
  end
  local length = #state
  if state[NEWEST] and isOver(limit, state, NEWEST) then
    length, state[PHASE] = NEWEST - 1, 0
  elseif state[NEWEST] and isOver(limit, state, length - 2) then
    length = length - LONGS
  end
  for i = #state, length + 1, -1 do
    state[i] = nil
  end
  for i = length, NEWEST, -1 do
    state[i + LONGS] = state[i]
  end
  state[NEWEST], state[NEWEST + FIRST], state[NEWEST + LAST] = cost, nowMicros, nowMicros
end

function SlidingWindowCounter.effectEndsAtMicros(limit, state)
  if not state[NEWEST] then
    return 0
  end
  local _, ends = spanOf(limit, aligned(limit, state), NEWEST)
  return ends + limit.window
end
