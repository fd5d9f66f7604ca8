/**
 * Frees places, then decides and enters for many calls, one after the other, in one step. Two keys for each call that
 * enters: its window, sorted by the entry of each call, and its places, sorted by the end of each lease; the ids of these
 * calls follow the limits and their count. One key and one id for each call that leaves. A refused call takes from
 * neither key. Returns two numbers for each call that enters: 0 entered, 1 no place, 2 window full; and the milliseconds
 * until the oldest call leaves a full window. The time is that of the server, so that processes with different clocks agree.
 */
export const QUOTA_SCRIPT = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local quota, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local most, leaseMs = tonumber(ARGV[3]), tonumber(ARGV[4])
local entering = tonumber(ARGV[5])
local function enter(window, places, id)
  redis.call('ZREMRANGEBYSCORE', places, '-inf', now)
  if redis.call('ZCARD', places) >= most then return 1, 0 end
  redis.call('ZREMRANGEBYSCORE', window, '-inf', now - windowMs)
  if redis.call('ZCARD', window) >= quota then
    local oldest = redis.call('ZRANGE', window, 0, 0, 'WITHSCORES')
    return 2, oldest[2] + windowMs - now
  end
  redis.call('ZADD', window, now, id)
  redis.call('PEXPIRE', window, windowMs)
  redis.call('ZADD', places, now + leaseMs, id)
  redis.call('PEXPIRE', places, leaseMs)
  return 0, 0
end
for i = 1, #KEYS - 2 * entering do redis.call('ZREM', KEYS[2 * entering + i], ARGV[5 + entering + i]) end
local answers = {}
for i = 1, entering do
  answers[2 * i - 1], answers[2 * i] = enter(KEYS[2 * i - 1], KEYS[2 * i], ARGV[5 + i])
end
return answers`
