local function isLater(q, r, thanQ, thanR)
  return q > thanQ or (q == thanQ and r > thanR)
end

-- Usage and debt beyond twice the burst.
local function forgive(limit, state)
  local mostQ, mostR = twiceTheCapacity(limit)
  if isLater(state[Q], state[R], mostQ, mostR) then
    write(limit, state, mostQ, mostR)
  end
end

function TokenBucket.surcharge(limit, state, permits)
  local burst = limit.burst
  TokenBucket.charge(limit, state, min(permits, burst))
  if permits > burst then
    TokenBucket.charge(limit, state, min(permits - burst, burst))
  end
  forgive(limit, state)
end

local function giveBack(limit, state, spanQ, spanR)
  local q, r = state[Q] - spanQ, state[R] - spanR
  if r < 0 then
    q, r = q - 1, r + limit.p
  end
  if q < nowMicros then
    q, r = nowMicros, 0
  end
  write(limit, state, q, r)
end

-- Whether this burst is counted exactly at that rate.
local function isExactAt(burst, permits, window)
  return burst < floor(EXACT / permits) and floor(burst / permits) < floor(EXACT / window)
end

function TokenBucket.refund(limit, state, permits, chargedAtMicros)
  if state[Q] < nowMicros or state[PERMITS] == 0 then
    return
  end
  if isOfOtherRate(limit, state) and isExactAt(limit.burst, state[PERMITS], state[WINDOW]) then
    limit = bucketOf(state[PERMITS], state[WINDOW], limit.burst)
  end
  convert(limit, state)
  local stillCountsQ = limit.capacityQ - max(0, nowMicros - chargedAtMicros)
  if stillCountsQ <= 0 then
    return
  end
  local spanQ, spanR = after(limit, 0, 0, min(permits, limit.burst))
  if isLater(spanQ, spanR, stillCountsQ, limit.capacityR) then
    spanQ, spanR = stillCountsQ, limit.capacityR
  end
  giveBack(limit, state, spanQ, spanR)
end

function TokenBucket.grant(limit, state, permits)
  if state[Q] < nowMicros or state[PERMITS] == 0 then
    return
  end
  convert(limit, state)
  forgive(limit, state)
  local n = min(permits, limit.burst)
  giveBack(limit, state, after(limit, 0, 0, n))
  giveBack(limit, state, after(limit, 0, 0, min(permits - n, limit.burst)))
end
