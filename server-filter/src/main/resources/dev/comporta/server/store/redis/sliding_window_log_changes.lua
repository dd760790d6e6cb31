function SlidingWindowLog.surcharge(limit, state, permits)
  local most = 2 * limit.permits - countedInLog(limit, state)
  if most > 0 then
    SlidingWindowLog.charge(limit, state, min(permits, most))
  end
end

-- What is over must not count again if the clock steps back, so it may not be the last.
local function forgetIfOver(limit, state)
  if SlidingWindowLog.effectEndsAtMicros(limit, state) <= nowMicros then
    clear(state)
  end
end

local function remove(state, entry)
  state.text = string.sub(state.text, 1, place(entry) - 1) .. string.sub(state.text, place(entry + 1))
  state.count = state.count - 1
end

function SlidingWindowLog.refund(limit, state, permits, chargedAtMicros)
  local found = firstAtLeast(state, 1, instant, chargedAtMicros)
  if found > state.count or instant(state, found) ~= chargedAtMicros then
    return
  end
  local held = sum(state, found) - sum(state, found - 1)
  local given = min(permits, held)
  if given == held then
    remove(state, found)
  end
  rewrite(state, 0, found, given, state.base)
  forgetIfOver(limit, state)
end

function SlidingWindowLog.grant(limit, state, permits)
  local count, left = state.count, permits
  while count > 0 and left >= sum(state, count) - sum(state, count - 1) do
    left = left - (sum(state, count) - sum(state, count - 1))
    count = count - 1
  end
  local text = string.sub(state.text, 1, place(count + 1) - 1)
  if count > 0 and left > 0 then
    text = string.sub(text, 1, place(count) - 1) .. entryText(instant(state, count), sum(state, count) - left)
  end
  state.text, state.count = text, count
  forgetIfOver(limit, state)
end
