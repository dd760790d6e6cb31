-- Makes a change, or takes one back. ARGV: the stamp of the new version; for how many milliseconds
-- changes are kept when nobody looks; how many there may be; the name; the text, none to take back; how
-- many microseconds it lasts, '-' if it does not end by itself; of the change of that name which the
-- node knows, when it was written (0 if it knows none) and when it ends.
-- Replies: the time, and when the change was written and ends; only the time if there was nothing to
-- take back; the time and 'full' if there was no room. What stands there and is no change is replaced.
local stamp, keptMillis, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local name, text, lasting = ARGV[4], ARGV[5], tonumber(ARGV[6])
local knownWritten, knownEnds = tonumber(ARGV[7]), tonumber(ARGV[8])
local now = string.format('%.0f', nowMicros)

local value = redis.call('HGET', HASH, name)
local written, ends = parts(value)

if text == '' and not written and knownWritten == 0 then
  return { now }
end
if not value then
  makeRoom(most)
  if isFull(most) then
    return { now, 'full' }
  end
end

if text ~= '' then
  ends = lasting and nowMicros + lasting
else
  ends = ends or knownEnds -- remembered as long as the one that is taken back
end
-- Later than what it replaces, also where another server has become the master, whose clock is behind.
written = math.max(nowMicros, (written or 0) + 1, knownWritten + 1)
if written > LATEST_MICROS then
  return redis.error_reply('UNREADABLE the change that is there is of the year 2255, and none is later')
end

local writtenText, endsText = string.format('%.0f', written), ends and string.format('%.0f', ends) or '-'
redis.call('HSET', HASH, name, writtenText .. ' ' .. endsText .. ' ' .. text)
renew(stamp, keptMillis, ends)
return { now, writtenText, endsText }
