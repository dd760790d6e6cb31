-- Decides all limits of a request as one. KEYS: one per limit. ARGV: the cost, then for each limit
-- its algorithm, permits, window in microseconds, burst.
-- Replies: the time, 1 or 0 for admitted, and the state of every limit after the decision.
local ARGUMENTS = 4

local function load(key)
  local value = redis.call('GET', key)
  if not value then
    return { 0, 0, 0, 0 }, false
  end
  local one, two, three, four = string.match(value, '^(%d+) (%d+) (%d+) (%d+)$')
  if not one then
    return nil, true
  end
  return { tonumber(one), tonumber(two), tonumber(three), tonumber(four) }, true
end

local function format(state)
  return string.format('%.0f %.0f %.0f %.0f', state[1], state[2], state[3], state[4])
end

local function millis(micros)
  return string.format('%.0f', math.ceil(math.max(0, micros) / 1000) + SLACK_MILLIS)
end

local function save(key, algorithm, limit, state)
  local lastsMicros = algorithm.effectEndsAtMicros(limit, state) - nowMicros
  redis.call('SET', key, format(state), 'PX', millis(lastsMicros))
end

local cost = tonumber(ARGV[1])
local algorithms, limits, states, exists, isCarriedOver = {}, {}, {}, {}, {}
local isAdmitted = true

for i, key in ipairs(KEYS) do
  local first = 2 + (i - 1) * ARGUMENTS
  local algorithm = ALGORITHMS[ARGV[first]]
  local limit =
    algorithm.of(tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2]), tonumber(ARGV[first + 3]))
  local state, isThere = load(key)
  if not state then
    return redis.error_reply('UNREADABLE the state of limit ' .. i .. ' is not four integers')
  end
  algorithms[i], limits[i], states[i], exists[i] = algorithm, limit, state, isThere
  isCarriedOver[i] = algorithm.carryOver(limit, state)
  isAdmitted = isAdmitted and algorithm.isAllowed(limit, state, cost)
end

local reply = { string.format('%.0f', nowMicros), isAdmitted and '1' or '0' }

for i, key in ipairs(KEYS) do
  local algorithm, limit, state = algorithms[i], limits[i], states[i]
  if isAdmitted then
    algorithm.charge(limit, state, cost)
    save(key, algorithm, limit, state)
  elseif isCarriedOver[i] then
    save(key, algorithm, limit, state)
  elseif exists[i] and redis.call('PTTL', key) == -1 then
    redis.call('PEXPIRE', key, millis(limit.fullRecoveryMicros))
  end
  reply[i + 2] = format(state)
end

return reply
