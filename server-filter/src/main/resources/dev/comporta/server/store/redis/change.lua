-- Changes usage other than by a decision, or only looks at it. KEYS: as for a decision. ARGV: surcharge,
-- refund, grant or peek; the permits, for a peek those that might be asked for; the instant at which they were charged; how many limits; each limit.
-- Replies: the time, and the state of every limit after it.
local change = ARGV[1]
local permits, chargedAtMicros = tonumber(ARGV[2]), tonumber(ARGV[3])
local parts, at = {}, 5

for i = 1, tonumber(ARGV[4]) do
  local part, next = load(i, at)
  if not part then
    return next
  end
  parts[i], at = part, next
end

local reply = { format('%.0f', nowMicros) }

for i, part in ipairs(parts) do
  if change == 'surcharge' then
    part.algorithm.surcharge(part.limit, part.state, permits)
    saveAsOwn(part)
  elseif change ~= 'peek' and part.holder then
    part.algorithm[change](part.limit, part.state, permits, chargedAtMicros)
    save(part, part.holder)
  end
  reply[i + 1] = told(part, change == 'peek' and permits or 1)
end

return reply
