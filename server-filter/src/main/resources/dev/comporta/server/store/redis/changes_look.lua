-- Tells the changes, if their version is not the one that is known, and forgets those that have ended.
-- ARGV: that version; for how many milliseconds changes are kept when nobody looks.
-- Replies: the time, the version, and unless it is the known one, each change: its name, its value.
local version = redis.call('HGET', HASH, VERSION) or ''

if version ~= '' and redis.call('PTTL', HASH) < tonumber(ARGV[2]) / 2 then
  redis.call('PEXPIRE', HASH, ARGV[2])
end

local reply = { string.format('%.0f', nowMicros), version }
if version ~= ARGV[1] then
  local all = redis.call('HGETALL', HASH)
  for i = 1, #all, 2 do
    if hasEnded(all[i + 1]) then
      redis.call('HDEL', HASH, all[i])
    elseif all[i] ~= VERSION then
      reply[#reply + 1], reply[#reply + 2] = all[i], all[i + 1]
    end
  end
end
return reply
