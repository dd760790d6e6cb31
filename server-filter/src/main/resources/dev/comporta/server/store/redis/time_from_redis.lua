-- The clock of the server is the only clock: nodes need not agree.
local time = redis.call('TIME')
local nowMicros = tonumber(time[1]) * 1000000 + tonumber(time[2])

-- A state is kept this much longer than it has an effect, so that it never expires while it is read.
local SLACK_MILLIS = 1000
