-- Mirrors SlidingWindowLog.java. A text is the sum before the oldest entry, then for each entry its
-- instant and the sum up to it, all of fixed width: an entry is found by its place, so that a decision
-- looks at a few and copies the rest.
local BASE_WIDTH, INSTANT_WIDTH, ENTRY_WIDTH = 10, 16, 28
local LARGE_BASE = 1000000000
local SlidingWindowLog = {}
ALGORITHMS.sl = SlidingWindowLog

function SlidingWindowLog.of(at)
  return { permits = tonumber(ARGV[at]), window = tonumber(ARGV[at + 1]) }, at + 2
end

function SlidingWindowLog.new()
  return { text = '0000000000', base = 0, count = 0 }
end

-- Only the ends are looked at: to read it all would cost more than the decision.
function SlidingWindowLog.read(text)
  local base = tonumber(string.sub(text, 1, BASE_WIDTH))
  local count = (#text - BASE_WIDTH) / ENTRY_WIDTH
  local isOfWidth = base and count >= 0 and count == floor(count)
  local isWhole = isOfWidth and (count == 0 or string.find(text, '^ %d+ %d+$', -ENTRY_WIDTH))
  return isWhole and { text = text, base = base, count = count }
end

function SlidingWindowLog.text(state)
  return state.text
end

local function place(entry)
  return BASE_WIDTH + (entry - 1) * ENTRY_WIDTH + 1
end

local function instant(state, entry)
  local at = place(entry)
  return tonumber(string.sub(state.text, at + 1, at + INSTANT_WIDTH))
end

local function sum(state, entry)
  if entry == 0 then
    return state.base
  end
  local at = place(entry)
  return tonumber(string.sub(state.text, at + INSTANT_WIDTH + 2, at + ENTRY_WIDTH - 1))
end

local function entryText(instantMicros, sumUpTo)
  return format(' %016.0f %010.0f', instantMicros, sumUpTo)
end

-- All entries moved in time, their sums lowered from one on; and the sum before them.
local function rewrite(state, stepMicros, from, by, base)
  local texts = { format('%010.0f', base) }
  for entry = 1, state.count do
    local own = sum(state, entry) - (entry >= from and by or 0)
    texts[entry + 1] = entryText(instant(state, entry) - stepMicros, own)
  end
  state.text, state.base = table.concat(texts), base
end

function SlidingWindowLog.rebase(_, state)
  local step = state.count > 0 and instant(state, state.count) - nowMicros or 0
  if step <= 0 then
    return false
  end
  rewrite(state, step, 1, 0, state.base)
  return true
end

-- The first entry from there on for which that is at least the value.
local function firstAtLeast(state, from, part, value)
  local low, high = from, state.count + 1
  while low < high do
    local middle = floor((low + high) / 2)
    if part(state, middle) < value then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local function countedInLog(limit, state)
  local oldest = firstAtLeast(state, 1, instant, nowMicros - limit.window + 1)
  if oldest > state.count then
    return 0, oldest
  end
  return sum(state, state.count) - sum(state, oldest - 1), oldest
end

function SlidingWindowLog.isAllowed(limit, state, cost)
  return countedInLog(limit, state) + cost <= limit.permits
end

local function clear(state)
  state.text, state.base, state.count = '0000000000', 0, 0
end

local function letGo(limit, state)
  local _, oldest = countedInLog(limit, state)
  if oldest > state.count then
    clear(state)
    return
  end
  if oldest == 1 then
    return
  end
  state.base = sum(state, oldest - 1)
  state.text = format('%010.0f', state.base) .. string.sub(state.text, place(oldest))
  state.count = state.count - oldest + 1
  if state.base >= LARGE_BASE then
    rewrite(state, 0, 1, state.base, 0)
  end
end

function SlidingWindowLog.charge(limit, state, cost)
  letGo(limit, state)
  local count = state.count
  local sumUpTo = sum(state, count) + cost
  if count > 0 and instant(state, count) == nowMicros then
    count = count - 1
  end
  state.text = string.sub(state.text, 1, place(count + 1) - 1) .. entryText(nowMicros, sumUpTo)
  state.count = count + 1
end

function SlidingWindowLog.effectEndsAtMicros(limit, state)
  return state.count == 0 and 0 or instant(state, state.count) + limit.window
end

-- Of those that count, the entries that make room for this cost and for a cost of 1, and the last one:
-- from these Java computes the same numbers as from all.
function SlidingWindowLog.told(limit, state, cost)
  local counted, oldest = countedInLog(limit, state)
  if oldest > state.count then
    return ''
  end
  local base = sum(state, oldest - 1)
  local text, last = format('%.0f', base), 0
  for _, wanted in ipairs({ 1, cost, math.huge }) do
    local tooMuch = min(counted, counted + wanted - limit.permits)
    if tooMuch > 0 then
      local entry = firstAtLeast(state, oldest, sum, base + tooMuch)
      if entry ~= last then
        text = text .. format(' %.0f %.0f', instant(state, entry), sum(state, entry))
        last = entry
      end
    end
  end
  return text
end
