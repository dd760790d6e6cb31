-- Mirrors TokenBucket.java, where the arithmetic is explained. A state is {q, r, permits, window}:
-- the bucket is full again at q + r/permits microseconds.
do
  local Q, R, PERMITS, WINDOW = 1, 2, 3, 4
  local TokenBucket = {}
  ALGORITHMS.bucket = TokenBucket

  -- The time that n permits take to refill: whole microseconds, and parts of p.
  local function span(limit, n)
    return n * limit.a + math.floor(n * limit.b / limit.p), n * limit.b % limit.p
  end

  -- permits and window are reduced by their common divisor
  function TokenBucket.of(permits, window, burst)
    local limit =
      { burst = burst, p = permits, w = window, a = math.floor(window / permits), b = window % permits }
    limit.capacityQ, limit.capacityR = span(limit, burst)
    limit.fullRecoveryMicros = limit.capacityQ + 1
    return limit
  end

  -- Where the bucket is full again after that cost, which starts from now if it is full already, and
  -- from empty if the clock has stepped back.
  local function after(limit, state, cost)
    local fullQ, fullR = state[Q], state[R]
    local ahead = fullQ - nowMicros
    if ahead < 0 then
      fullQ, fullR = nowMicros, 0
    elseif ahead > limit.capacityQ or (ahead == limit.capacityQ and fullR > limit.capacityR) then
      fullQ, fullR = nowMicros + limit.capacityQ, limit.capacityR
    end
    local spanQ, spanR = span(limit, cost)
    local r = fullR + spanR
    return fullQ + spanQ + math.floor(r / limit.p), r % limit.p
  end

  function TokenBucket.isAllowed(limit, state, cost)
    if cost > limit.burst then
      return false
    end
    local q, r = after(limit, state, cost)
    local late = q - (nowMicros + limit.capacityQ)
    return late < 0 or (late == 0 and r <= limit.capacityR)
  end

  function TokenBucket.charge(limit, state, cost)
    state[Q], state[R] = after(limit, state, cost)
    state[PERMITS], state[WINDOW] = limit.p, limit.w
  end

  function TokenBucket.effectEndsAtMicros(_, state)
    return state[R] > 0 and state[Q] + 1 or state[Q]
  end

  -- Whether there was something to carry over.
  function TokenBucket.carryOver(limit, state)
    if state[WINDOW] == 0 or (state[PERMITS] == limit.p and state[WINDOW] == limit.w) then
      return false
    end
    local ahead = state[Q] - nowMicros
    local used = 0
    if ahead >= 0 then
      used = math.min(limit.burst, ratioCeil(ahead, state[PERMITS], state[R], state[WINDOW]))
    end
    local spanQ, spanR = span(limit, used)
    state[Q], state[R], state[PERMITS], state[WINDOW] = nowMicros + spanQ, spanR, limit.p, limit.w
    return true
  end
end
