function SlidingWindowCounter.surcharge(limit, state, permits)
  local most = 2 * limit.permits - countedIn(limit, aligned(limit, state))
  if most > 0 then
    SlidingWindowCounter.charge(limit, state, min(permits, most))
  end
end

local function giveBack(state, at, permits)
  state[at] = state[at] - permits
  if state[at] == 0 then
    local length = #state
    for i = at, length do
      state[i] = state[i + LONGS]
    end
  end
end

-- What is over must not count again if the clock steps back, so it may not be the newest.
local function forgetIfOver(limit, state)
  if SlidingWindowCounter.effectEndsAtMicros(limit, state) <= nowMicros then
    for i = #state, NEWEST, -1 do
      state[i] = nil
    end
  end
end

function SlidingWindowCounter.refund(limit, state, permits, chargedAtMicros)
  local taken = min(chargedAtMicros, nowMicros)
  for at = NEWEST, #state, LONGS do
    if state[at + FIRST] <= taken and taken <= state[at + LAST] then
      giveBack(state, at, min(permits, state[at]))
      forgetIfOver(limit, state)
      return
    end
  end
end

function SlidingWindowCounter.grant(limit, state, permits)
  if state[SEGMENT] ~= limit.segment then
    regroup(limit, state)
  end
  local left = permits
  while left > 0 and state[NEWEST] do
    local given = min(left, state[NEWEST])
    giveBack(state, NEWEST, given)
    left = left - given
  end
  forgetIfOver(limit, state)
end
