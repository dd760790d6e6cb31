-- Decides all limits of a request as one. KEYS: one per limit, then the former ones. ARGV: the cost,
-- how many limits, each limit.
-- Replies: the time, 1 or 0 for admitted, and the state of every limit after the decision.
local cost = tonumber(ARGV[1])
local parts, isAdmitted, at = {}, true, 3

for i = 1, tonumber(ARGV[2]) do
  local part, next = load(i, at)
  if not part then
    return next
  end
  parts[i], at = part, next
  isAdmitted = isAdmitted and part.algorithm.isAllowed(part.limit, part.state, cost)
end

local reply = { format('%.0f', nowMicros), isAdmitted and '1' or '0' }

for i, part in ipairs(parts) do
  if isAdmitted then
    part.algorithm.charge(part.limit, part.state, cost)
    saveAsOwn(part)
  elseif part.isRebased then
    save(part, part.holder)
  elseif part.holder and redis.call('PTTL', part.holder) < lastsMillis(part) then
    -- Never expires (-1), or was written under a limit that forgets sooner than the one that refuses.
    redis.call('PEXPIRE', part.holder, millisToLive(part))
  end
  reply[i + 2] = told(part, cost)
end

return reply
