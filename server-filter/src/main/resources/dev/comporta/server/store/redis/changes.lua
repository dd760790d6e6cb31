-- What running code has changed, of one application: a hash, which holds under the name of each change
--   when it was written, when it ends ('-' if it does not), and its text; none if it was taken back
-- and under `version` what tells this state of the hash from every other. KEYS: the hash.
local VERSION = 'version'
local HASH = KEYS[1]

-- The latest instant that a change may name: a double counts by one up to there. As in ChangeText.java.
local LATEST_MICROS = 9000000000000000

local function instant(digits)
  local micros = #digits <= 16 and string.match(digits, '^%d+$') and tonumber(digits)
  return micros and micros <= LATEST_MICROS and micros
end

-- Nothing if it is none; something else than a change may stand there, which no node reads.
local function parts(value)
  local written, ends, text = string.match(value or '', '^(%d+) (%S+) (.*)$')
  written = written and instant(written)
  local endsMicros = ends and instant(ends)
  if not written or not (endsMicros or ends == '-') then
    return nil
  end
  return written, endsMicros or nil, text
end

local function hasEnded(value)
  local _, ends = parts(value)
  return ends ~= nil and ends <= nowMicros
end

local function isFull(most)
  return redis.call('HLEN', HASH) > most -- the version is no change
end

-- Forgets what has ended, once there is no room any more.
local function makeRoom(most)
  if isFull(most) then
    local all = redis.call('HGETALL', HASH)
    for i = 1, #all, 2 do
      if hasEnded(all[i + 1]) then
        redis.call('HDEL', HASH, all[i])
      end
    end
  end
end

-- A new version. The hash is kept as long as its last change, and so long after the last look.
local function renew(stamp, keptMillis, ends)
  local number = tonumber(string.match(redis.call('HGET', HASH, VERSION) or '', '^(%d+):') or 0)
  redis.call('HSET', HASH, VERSION, string.format('%.0f:%s', number + 1, stamp))
  local lastsMillis = ends and math.ceil((ends - nowMicros) / 1000) + SLACK_MILLIS or 0
  local millis = math.max(keptMillis, lastsMillis, redis.call('PTTL', HASH))
  redis.call('PEXPIRE', HASH, string.format('%.0f', millis))
end
