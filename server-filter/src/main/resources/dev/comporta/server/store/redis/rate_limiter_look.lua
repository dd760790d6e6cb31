-- Tells where a caller stands on an RRateLimiter of Redisson, and mends what that leaves broken. KEYS: the
-- limiter's settings, value and permits; then the same of each former one, the newest first. ARGV: look,
-- decide or mend; the cost; the time; the window; the rate; how long keys are kept; times in milliseconds.
-- Replies: ready, absent, changed, or the place of the former limiter that has the usage; and the
-- admissions that matter, as SlidingWindowLog reads them.
local mode, cost, nowMillis = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local windowMillis, rate, keptMillis = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local SLACK_MILLIS = 1000

local holder = 1
if redis.call('EXISTS', KEYS[3]) == 0 then
  for at = 4, #KEYS, 3 do
    if holder == 1 and redis.call('EXISTS', KEYS[at + 2]) == 1 then
      holder = at
    end
  end
end
local settingsKey, valueKey, permitsKey = KEYS[holder], KEYS[holder + 1], KEYS[holder + 2]
local edge = string.format('(%.0f', nowMillis - windowMillis)

local function permitsOf(member)
  local random, permits = struct.unpack('Bc0I', member)
  return permits
end

local function sum(from, to)
  local permits = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', permitsKey, from, to)) do
    permits = permits + permitsOf(member)
  end
  return permits
end

local function readiness()
  if holder ~= 1 then
    return tostring((holder - 1) / 3)
  end
  local settings = redis.call('HMGET', settingsKey, 'rate', 'interval', 'keepAliveTime', 'type')
  if not (settings[1] and settings[2] and settings[4]) then
    return 'absent'
  end
  local isSame = tonumber(settings[1]) == rate and tonumber(settings[2]) == windowMillis
    and settings[3] == keptMillis and settings[4] == '0'
  return isSame and 'ready' or 'changed'
end

local ready = readiness()
local value = redis.call('GET', valueKey)
local newest = redis.call('ZRANGE', permitsKey, -1, -1, 'WITHSCORES')[2]

-- What Redisson does not: after a rate was lowered below what is used, it counts from 0 and not from below;
-- and a value or permits that were lost let everything pass, or nothing.
if mode ~= 'look' and holder == 1 then
  if value and not newest then
    redis.call('DEL', valueKey)
  elseif newest and ready == 'ready' and (mode == 'mend' or not value) then
    value = rate - sum('-inf', '+inf')
    redis.call('SET', valueKey, string.format('%.0f', value), 'PX', keptMillis)
  end
end
if not newest then
  return { ready, '' }
end
newest = tonumber(newest)

-- Each key is kept as long as it counts: also one without expiry, or written under a shorter window.
if mode ~= 'look' then
  local ttl = redis.call('PTTL', permitsKey)
  local isTooShort = newest <= nowMillis and ttl < newest + windowMillis - nowMillis + SLACK_MILLIS
  if ttl < 0 or isTooShort then
    for at = holder, holder + 2 do
      redis.call('PEXPIRE', KEYS[at], keptMillis)
    end
  end
end

-- The value tells what is used without a look at all of it, if it was written under this rate.
local used
if ready == 'ready' and value then
  used = rate - tonumber(value) - sum('-inf', string.sub(edge, 2))
else
  used = sum(edge, '+inf')
end
if used <= 0 then
  return { ready, '' }
end

-- Whose leaving makes room, for one permit and for the cost; if it is admitted, for one more after it.
local tooMuch = { used + 1 - rate, used + cost - rate }
if used + cost <= rate then
  tooMuch = { used + cost + 1 - rate }
end
local text, lastMillis, lastSum = '0', nil, 0
local function tell(millis, permits)
  if millis == lastMillis then
    text = string.gsub(text, ' %d+$', '')
  else
    text = text .. string.format(' %.0f', millis * 1000)
  end
  text = text .. string.format(' %.0f', permits)
  lastMillis, lastSum = millis, permits
end

for _, wanted in ipairs(tooMuch) do
  wanted = math.min(used, wanted)
  if wanted > lastSum then
    local permits = 0
    local oldest = redis.call('ZRANGEBYSCORE', permitsKey, edge, '+inf', 'WITHSCORES', 'LIMIT', 0, wanted)
    for i = 1, #oldest, 2 do
      permits = permits + permitsOf(oldest[i])
      if permits >= wanted then
        tell(tonumber(oldest[i + 1]), permits)
        break
      end
    end
  end
end
if lastSum < used then
  tell(newest, used)
end
return { ready, text }
