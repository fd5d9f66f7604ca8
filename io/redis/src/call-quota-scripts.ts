/** The time of the server, so that processes with different clocks agree. */
const SERVER_TIME = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/**
 * Decides and enters in one step. Both sets are sorted by time: the window by the entry of each call, the places by the
 * end of each lease. A refused call takes from neither. Returns 0 entered, 1 no place, 2 window full and the
 * milliseconds until its oldest call leaves it.
 */
export function enterScript(time: string = SERVER_TIME): string {
  return `${time}
local quota, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local places, leaseMs, id = tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= places then return {1, 0} end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - windowMs)
if redis.call('ZCARD', KEYS[1]) >= quota then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return {2, oldest[2] + windowMs - now}
end
redis.call('ZADD', KEYS[1], now, id)
redis.call('PEXPIRE', KEYS[1], windowMs)
redis.call('ZADD', KEYS[2], now + leaseMs, id)
redis.call('PEXPIRE', KEYS[2], leaseMs)
return {0, 0}`
}

export const LEAVE_SCRIPT = `return redis.call('ZREM', KEYS[1], ARGV[1])`
