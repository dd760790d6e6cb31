-- Mirrors SlidingWindowCounter.java, where the arithmetic is explained. A state is
-- {start, current, previous, window}: the start of the current window, and the two counts.
do
  local START, CURRENT, PREVIOUS, WINDOW = 1, 2, 3, 4
  local SlidingWindowCounter = {}
  ALGORITHMS.window = SlidingWindowCounter

  function SlidingWindowCounter.of(permits, window)
    return { permits = permits, window = window, fullRecoveryMicros = 2 * window }
  end

  -- The start of this window, and the two counts as seen from it. A state from a later window means
  -- that the clock has stepped back: all that it counts, counts as of now, up to one full limit.
  local function counts(permits, window, state)
    local start = math.floor(nowMicros / window) * window
    if state[START] == start then
      return start, state[CURRENT], state[PREVIOUS]
    end
    if state[START] > start then
      return start, math.min(permits, state[CURRENT] + state[PREVIOUS]), 0
    end
    return start, 0, state[START] == start - window and state[CURRENT] or 0
  end

  function SlidingWindowCounter.isAllowed(limit, state, cost)
    local window = limit.window
    local start, current, previous = counts(limit.permits, window, state)
    local weighted = ratioCeil(previous, window - (nowMicros - start), 0, window)
    return current + weighted + cost <= limit.permits
  end

  function SlidingWindowCounter.charge(limit, state, cost)
    local start, current, previous = counts(limit.permits, limit.window, state)
    state[START], state[CURRENT], state[PREVIOUS] = start, current + cost, previous
    state[WINDOW] = limit.window
  end

  function SlidingWindowCounter.effectEndsAtMicros(limit, state)
    if state[CURRENT] > 0 then
      return state[START] + 2 * limit.window
    end
    return state[PREVIOUS] > 0 and state[START] + limit.window or state[START]
  end

  -- Whether there was something to carry over.
  function SlidingWindowCounter.carryOver(limit, state)
    local written, window = state[WINDOW], limit.window
    if written == 0 or written == window then
      return false
    end
    local start, current, previous = counts(math.huge, written, state)
    local used = current + ratioCeil(previous, written - (nowMicros - start), 0, written)
    state[START], state[CURRENT] = math.floor(nowMicros / window) * window, math.min(limit.permits, used)
    state[PREVIOUS], state[WINDOW] = 0, window
    return true
  end
end
