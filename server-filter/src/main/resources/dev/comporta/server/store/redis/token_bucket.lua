-- Mirrors TokenBucket.java, where the arithmetic is explained. A state is {q, r, permits, window,
-- ahead}: the bucket is full again at q + r/permits microseconds, which was that far ahead.
local Q, R, PERMITS, WINDOW, AHEAD = 1, 2, 3, 4, 5
local TokenBucket = {}
ALGORITHMS.tb = TokenBucket

-- That instant, later by the time that n permits take to refill. n is at most the burst.
local function after(limit, q, r, n)
  local p = limit.p
  local parts = n * limit.b
  local allR = r + parts % p
  return q + n * limit.a + floor(parts / p) + floor(allR / p), allR % p
end

-- permits and window are reduced by their common divisor
local function bucketOf(permits, window, burst)
  local limit = {
    burst = burst,
    p = permits,
    w = window,
    a = floor(window / permits),
    b = window % permits,
    rate = format('%.0f %.0f', permits, window),
  }
  limit.capacityQ, limit.capacityR = after(limit, 0, 0, burst)
  return limit
end

function TokenBucket.of(at)
  return bucketOf(tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])), at + 3
end

function TokenBucket.new()
  return { 0, 0, 0, 0, 0 }
end

-- Nearly all states are of the rate of their limit, and these are read without reading it.
function TokenBucket.read(text, limit)
  local q, r, rate, ahead = string.match(text, '^(%d+) (%d+) (%d+ %d+) (%d+)$')
  if rate == limit.rate then
    return { tonumber(q), tonumber(r), limit.p, limit.w, tonumber(ahead) }
  end
  local permits, window = string.match(rate or '', '^(%d+) (%d+)$')
  local state = { tonumber(q), tonumber(r), tonumber(permits), tonumber(window), tonumber(ahead) }
  return q and state[PERMITS] > 0 and state[WINDOW] > 0 and state
end

function TokenBucket.text(state, limit)
  if state[PERMITS] == limit.p and state[WINDOW] == limit.w then
    return format('%.0f %.0f %s %.0f', state[Q], state[R], limit.rate, state[AHEAD])
  end
  return format('%.0f %.0f %.0f %.0f %.0f', state[Q], state[R], state[PERMITS], state[WINDOW], state[AHEAD])
end

function TokenBucket.rebase(_, state)
  if state[Q] - nowMicros <= state[AHEAD] then
    return false
  end
  state[Q] = nowMicros + state[AHEAD]
  return true
end

local function write(limit, state, q, r)
  state[Q], state[R], state[PERMITS], state[WINDOW], state[AHEAD] = q, r, limit.p, limit.w, q - nowMicros
end

-- A bucket that is full again says nothing, at whichever rate.
local function isOfOtherRate(limit, state)
  return (state[PERMITS] ~= limit.p or state[WINDOW] ~= limit.w)
    and state[PERMITS] ~= 0
    and state[Q] >= nowMicros
end

-- Permits used, a part of one as a whole one; and that part, in units of 1/window.
local function usedAtOtherRate(state)
  local used, part = ratio(state[Q] - nowMicros, state[PERMITS], state[R], state[WINDOW])
  return part > 0 and used + 1 or used, part
end

local function twiceTheCapacity(limit)
  local r = 2 * limit.capacityR
  return nowMicros + 2 * limit.capacityQ + floor(r / limit.p), r % limit.p
end

-- What is used at another rate, up to twice the burst, becomes the span it takes at this one.
local function convert(limit, state)
  if not isOfOtherRate(limit, state) then
    return
  end
  local used, part = usedAtOtherRate(state)
  if used > 2 * limit.burst then
    write(limit, state, twiceTheCapacity(limit))
    return
  end
  local whole = part == 0 and used or used - 1
  local parts, rest = ratio(part, limit.w, 0, state[WINDOW])
  parts = rest > 0 and parts + 1 or parts
  local n = min(whole, limit.burst)
  local q, r = after(limit, nowMicros + floor(parts / limit.p), parts % limit.p, n)
  write(limit, state, after(limit, q, r, whole - n))
end

-- Where the bucket is full again after that cost, which starts from now if it is full already.
local function charged(limit, state, cost)
  if state[Q] < nowMicros then
    return after(limit, nowMicros, 0, cost)
  end
  return after(limit, state[Q], state[R], cost)
end

function TokenBucket.isAllowed(limit, state, cost)
  if cost > limit.burst then
    return false
  end
  if isOfOtherRate(limit, state) then
    return usedAtOtherRate(state) <= limit.burst - cost
  end
  local q, r = charged(limit, state, cost)
  local late = q - (nowMicros + limit.capacityQ)
  return late < 0 or (late == 0 and r <= limit.capacityR)
end

function TokenBucket.charge(limit, state, cost)
  convert(limit, state)
  write(limit, state, charged(limit, state, cost))
end

function TokenBucket.effectEndsAtMicros(_, state)
  return state[R] > 0 and state[Q] + 1 or state[Q]
end
