-- Lets an RRateLimiter go on from a former one, and forgets the others. KEYS: settings, value and permits
-- of the limiter; then the same of each former one. ARGV: the place of the one, from 1 on.
local former = 3 * tonumber(ARGV[1])

for i = 1, 3 do
  if redis.call('EXISTS', KEYS[former + i]) == 1 then
    redis.call('RENAME', KEYS[former + i], KEYS[i])
  end
end
redis.call('DEL', unpack(KEYS, 4))

return {}
