-- Mirrors SlidingWindowCounter.java, where the arithmetic is explained. A state is
-- {start, current, previous, window}: the start of the current window, and the two counts.
local SlidingWindowCounter = {}

do
  local START, CURRENT, PREVIOUS, WINDOW = 1, 2, 3, 4

  function SlidingWindowCounter.of(permits, window)
    return { permits = permits, window = window }
  end

  local function windowStart(limit)
    return math.floor(nowMicros / limit.window) * limit.window
  end

  -- A state from a later window means that the clock has stepped back: all that it counts, counts
  -- as of now, up to one full limit.
  local function currentOf(limit, state, start)
    if state[START] == start then
      return state[CURRENT]
    end
    if state[START] < start then
      return 0
    end
    return math.min(limit.permits, state[CURRENT] + state[PREVIOUS])
  end

  local function previousOf(limit, state, start)
    if state[START] == start then
      return state[PREVIOUS]
    end
    return state[START] == start - limit.window and state[CURRENT] or 0
  end

  local function weighted(limit, count, elapsed)
    return ratioCeil(count, limit.window - elapsed, 0, limit.window)
  end

  local function counted(limit, state)
    local start = windowStart(limit)
    return currentOf(limit, state, start)
      + weighted(limit, previousOf(limit, state, start), nowMicros - start)
  end

  function SlidingWindowCounter.isAllowed(limit, state, cost)
    return counted(limit, state) + cost <= limit.permits
  end

  function SlidingWindowCounter.charge(limit, state, cost)
    local start = windowStart(limit)
    local current = currentOf(limit, state, start)
    local previous = previousOf(limit, state, start)
    state[START], state[CURRENT], state[PREVIOUS] = start, current + cost, previous
    state[WINDOW] = limit.window
  end

  function SlidingWindowCounter.effectEndsAtMicros(limit, state)
    if state[CURRENT] > 0 then
      return state[START] + 2 * limit.window
    end
    return state[PREVIOUS] > 0 and state[START] + limit.window or state[START]
  end

  function SlidingWindowCounter.fullRecoveryMicros(limit)
    return 2 * limit.window
  end

  -- Whether there was something to carry over.
  function SlidingWindowCounter.carryOver(limit, state)
    if state[WINDOW] == 0 or state[WINDOW] == limit.window then
      return false
    end
    local used = counted({ permits = math.huge, window = state[WINDOW] }, state)
    state[START], state[CURRENT] = windowStart(limit), math.min(limit.permits, used)
    state[PREVIOUS], state[WINDOW] = 0, limit.window
    return true
  end
end
