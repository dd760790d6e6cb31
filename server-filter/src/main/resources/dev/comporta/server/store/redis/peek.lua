-- Reads all limits at one instant and writes nothing. KEYS: one per limit.
-- Replies: the time, and the state of every limit.
local reply = { string.format('%.0f', nowMicros) }

for i, key in ipairs(KEYS) do
  reply[i + 1] = redis.call('GET', key) or '0 0 0 0'
end

return reply
