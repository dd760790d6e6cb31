-- Changes usage other than by a decision, or only looks at it. KEYS: of each limit its key and then its
-- former keys. ARGV: surcharge, refund, grant or peek; the permits, for a peek those that might be asked
-- for; the instant at which they were charged; how many limits; of each limit how many former keys, and
-- what it is.
-- Replies: the time, and the state of every limit after it.
local change = ARGV[1]
local permits, chargedAtMicros = tonumber(ARGV[2]), tonumber(ARGV[3])
local formersOf, at, place = {}, 5, 1

for i = 1, tonumber(ARGV[4]) do
  local limit, next = limitAt(at + 1)
  if not limit then
    return redis.error_reply(CALENDAR)
  end
  formersOf[i], at = tonumber(ARGV[at]), next
  local n, fault = load(limit, place, formersOf[i], i)
  if not n then
    return redis.error_reply(fault)
  end
  place = place + 1 + formersOf[i]
end

local reply = { format('%.0f', nowMicros) }
place = 1

for n = 1, loaded do
  local limit, isAny = limitOf[n], holderOf[n]
  if change == 'surcharge' then
    limit.algorithm.surcharge(limit, stateOf[n], permits)
    textOf[n] = false
    saveAsOwn(n, place, formersOf[n])
  elseif change ~= 'peek' and isAny then
    limit.algorithm[change](limit, stateOf[n], permits, chargedAtMicros)
    textOf[n] = false
    save(n, isAny)
  end
  reply[n + 1] = holderOf[n] and told(n, change == 'peek' and permits or 1) or ''
  place = place + 1 + formersOf[n]
end

return reply
