-- Puts back what a node knows and Redis has lost; the newer of one name stays. ARGV: the stamp of the
-- new version; for how many milliseconds changes are kept when nobody looks; how many there may be; of
-- each change its name and its value.
-- Replies: the time, and how many were put back.
local stamp, keptMillis, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local count, last = 0, nil

for i = 4, #ARGV - 1, 2 do
  local name, value = ARGV[i], ARGV[i + 1]
  local stored = redis.call('HGET', HASH, name)
  local written, ends = parts(value)
  local isNewer = written > (parts(stored) or 0)
  if isNewer and not hasEnded(value) and (stored or not isFull(most)) then
    redis.call('HSET', HASH, name, value)
    count = count + 1
    last = ends and math.max(last or 0, ends) or last
  end
end

if count > 0 then
  renew(stamp, keptMillis, last)
end
return { string.format('%.0f', nowMicros), count }
