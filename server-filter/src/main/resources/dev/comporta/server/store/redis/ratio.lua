-- Mirrors Ratio.java: a*b/c for integers that are not negative.
--
-- Numbers are doubles, exact below 2^53. Where a*b is not, it is divided digit by digit in base 2^7:
-- rest*2^7 + digit*b stays below 2^53 for b, c up to 400 days in microseconds (3.5e13 * 255 < 9.0e15).
--
-- A script makes its functions anew each time it runs, which costs more than what they compute. So
-- there are few, and a request brings only the algorithms that it needs.
local ALGORITHMS = {}
local BASE = 128
local EXACT = 9007199254740992

-- (a*b + d)/c, rounded up.
local function ratioCeil(a, b, d, c)
  if a * b + d < EXACT then
    return math.ceil((a * b + d) / c)
  end
  local unit = 1
  while unit * BASE <= a do
    unit = unit * BASE
  end
  local quotient, rest = 0, 0
  while unit >= 1 do
    local digit = math.floor(a / unit)
    a = a - digit * unit
    local value = rest * BASE + digit * b
    local part = math.floor(value / c)
    quotient = quotient * BASE + part
    rest = value - part * c
    unit = unit / BASE
  end
  return quotient + math.ceil((rest + d) / c)
end
