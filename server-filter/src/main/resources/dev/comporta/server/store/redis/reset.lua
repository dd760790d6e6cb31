-- Forgets the usage under all KEYS.
redis.call('DEL', unpack(KEYS))
return {}
