-- Mirrors Ratio.java: (a*b + d)/c for integers that are not negative, as its floor and what is left.
--
-- Numbers are doubles, exact below 2^53. Where a*b + d is not, it is divided digit by digit in base
-- 2^4: rest*2^4 + digit*b stays below 2^53 for b, c up to 9 years in microseconds (2.9e14 * 31), which
-- is far more than the longest window. Floors of quotients below 2^53 are exact.
local BASE = 16
local EXACT = 9007199254740992

local function ratio(a, b, d, c)
  local all = a * b + d
  if all < EXACT then
    return floor(all / c), all % c
  end
  local unit = 1
  while unit * BASE <= a do
    unit = unit * BASE
  end
  local quotient, rest = 0, 0
  while unit >= 1 do
    local digit = floor(a / unit)
    a = a - digit * unit
    local value = rest * BASE + digit * b
    local part = floor(value / c)
    quotient = quotient * BASE + part
    rest = value - part * c
    unit = unit / BASE
  end
  local last = floor((rest + d) / c)
  return quotient + last, rest + d - last * c
end
