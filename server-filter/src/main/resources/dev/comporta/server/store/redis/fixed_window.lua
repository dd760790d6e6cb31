-- Mirrors FixedWindow.java. A state is {count, last}: the count is of the present window if the last
-- charge was in it.
local COUNT, LAST = 1, 2
local FixedWindow = {}
ALGORITHMS.fw = FixedWindow

-- Permits, then the length of each window; or 0, how many edges of a calendar follow, and these.
function FixedWindow.of(at)
  local permits, window = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  if window > 0 then
    local start = floor(nowMicros / window) * window
    return { permits = permits, startMicros = start, endMicros = start + window }, at + 2
  end
  local first, last = at + 3, at + 2 + tonumber(ARGV[at + 2])
  for edge = first, last - 1 do
    local start, ends = tonumber(ARGV[edge]), tonumber(ARGV[edge + 1])
    if start <= nowMicros and nowMicros < ends then
      return { permits = permits, startMicros = start, endMicros = ends }, last + 1
    end
  end
  return nil, last + 1
end

function FixedWindow.new()
  return { 0, 0 }
end

function FixedWindow.read(text)
  local count, last = string.match(text, '^(%d+) (%d+)$')
  return count and { tonumber(count), tonumber(last) }
end

function FixedWindow.text(state)
  return format('%.0f %.0f', state[COUNT], state[LAST])
end

function FixedWindow.rebase(_, state)
  if state[COUNT] == 0 or state[LAST] <= nowMicros then
    return false
  end
  state[LAST] = nowMicros
  return true
end

local function countedIn(limit, state)
  return state[LAST] >= limit.startMicros and state[COUNT] or 0
end

function FixedWindow.isAllowed(limit, state, cost)
  return countedIn(limit, state) + cost <= limit.permits
end

function FixedWindow.charge(limit, state, cost)
  state[COUNT], state[LAST] = countedIn(limit, state) + cost, nowMicros
end

-- What was charged in a window before the present one has no effect any more.
function FixedWindow.effectEndsAtMicros(limit, state)
  return countedIn(limit, state) > 0 and limit.endMicros or 0
end
