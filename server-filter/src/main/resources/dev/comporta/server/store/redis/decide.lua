-- Decides requests in the order given, all limits of each as one. KEYS: of each request one per limit,
-- then the former ones. ARGV: how many requests; of each, how many keys and how many words follow, the
-- cost, how many limits, each limit.
-- Replies: the time; of each request 1 or 0 for admitted, and the state of every limit after its
-- decision; or, in place of these, the words of an error that is its own.
local reply = { format('%.0f', nowMicros) }

-- Redis 7 raises a table, before that it was a text that says where.
local function words(fault)
  local text = type(fault) == 'table' and fault.err or tostring(fault)
  return string.match(text, '%u%u+ .*') or text
end

-- The limits said from ARGV[at] on, or what is wrong with one of them. Nothing is written meanwhile.
local function loadAll(at)
  local parts = {}
  for i = 1, tonumber(ARGV[at - 1]) do
    local isRead, part, next = pcall(load, i, at)
    if not isRead or not part then
      return nil, words(isRead and next or part)
    end
    parts[i], at = part, next
  end
  return parts
end

local function decide(at)
  local cost = tonumber(ARGV[at])
  local parts, fault = loadAll(at + 2)
  if not parts then
    reply[#reply + 1] = fault
    return
  end

  local isAdmitted = true
  for _, part in ipairs(parts) do
    isAdmitted = isAdmitted and part.algorithm.isAllowed(part.limit, part.state, cost)
  end
  reply[#reply + 1] = isAdmitted and '1' or '0'

  for _, part in ipairs(parts) do
    if isAdmitted then
      part.algorithm.charge(part.limit, part.state, cost)
      saveAsOwn(part)
    elseif part.isRebased then
      save(part, part.holder)
    elseif part.holder and redis.call('PTTL', part.holder) < lastsMillis(part) then
      -- Never expires (-1), or was written under a limit that forgets sooner than the one that refuses.
      redis.call('PEXPIRE', part.holder, millisToLive(part))
    end
    reply[#reply + 1] = told(part, cost)
  end
end

local all, firstKey, at = KEYS, 1, 2

for _ = 1, tonumber(ARGV[1]) do
  local nextKey = firstKey + tonumber(ARGV[at])
  KEYS = { unpack(all, firstKey, nextKey - 1) }
  decide(at + 2)
  firstKey, at = nextKey, at + 2 + tonumber(ARGV[at + 1])
end

return reply
