function FixedWindow.surcharge(limit, state, permits)
  local most = 2 * limit.permits - countedIn(limit, state)
  if most > 0 then
    FixedWindow.charge(limit, state, min(permits, most))
  end
end

function FixedWindow.refund(limit, state, permits, chargedAtMicros)
  if chargedAtMicros >= limit.startMicros then
    FixedWindow.grant(limit, state, permits)
  end
end

function FixedWindow.grant(limit, state, permits)
  state[COUNT] = max(0, countedIn(limit, state) - permits)
end
