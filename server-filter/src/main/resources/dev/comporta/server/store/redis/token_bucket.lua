-- Mirrors TokenBucket.java, where the arithmetic is explained. A state is {q, r, permits, window}:
-- the bucket is full again at q + r/permits microseconds.
local TokenBucket = {}

do
  local Q, R, PERMITS, WINDOW = 1, 2, 3, 4

  local function spanQ(limit, n)
    return n * limit.a + math.floor(n * limit.b / limit.p)
  end

  local function spanR(limit, n)
    return n * limit.b % limit.p
  end

  -- permits and window are reduced by their common divisor
  function TokenBucket.of(permits, window, burst)
    local limit = { burst = burst, p = permits, w = window }
    limit.a = math.floor(window / permits)
    limit.b = window % permits
    limit.capacityQ = spanQ(limit, burst)
    limit.capacityR = spanR(limit, burst)
    return limit
  end

  local function isAheadOfEmpty(limit, state)
    local ahead = state[Q] - nowMicros
    return ahead > limit.capacityQ or (ahead == limit.capacityQ and state[R] > limit.capacityR)
  end

  local function full(limit, state)
    if state[Q] < nowMicros then
      return nowMicros, 0
    end
    if isAheadOfEmpty(limit, state) then
      return nowMicros + limit.capacityQ, limit.capacityR
    end
    return state[Q], state[R]
  end

  local function after(limit, state, cost)
    local fullQ, fullR = full(limit, state)
    local r = fullR + spanR(limit, cost)
    return fullQ + spanQ(limit, cost) + math.floor(r / limit.p), r % limit.p
  end

  function TokenBucket.isAllowed(limit, state, cost)
    if cost > limit.burst then
      return false
    end
    local q, r = after(limit, state, cost)
    local late = q - (nowMicros + limit.capacityQ)
    if r > limit.capacityR then
      late = late + 1
    end
    return late <= 0
  end

  function TokenBucket.charge(limit, state, cost)
    local q, r = after(limit, state, cost)
    state[Q], state[R], state[PERMITS], state[WINDOW] = q, r, limit.p, limit.w
  end

  function TokenBucket.effectEndsAtMicros(_, state)
    return state[R] > 0 and state[Q] + 1 or state[Q]
  end

  function TokenBucket.fullRecoveryMicros(limit)
    return limit.capacityQ + 1
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
    state[Q], state[R] = nowMicros + spanQ(limit, used), spanR(limit, used)
    state[PERMITS], state[WINDOW] = limit.p, limit.w
    return true
  end
end
