/** The time of the server, so that processes with different clocks agree. */
const SERVER_TIME = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`

/**
 * Decides and enters for many calls, one after the other, in one step. Two keys for each: its window, sorted by the entry
 * of each call, and its places, sorted by the end of each lease. A refused call takes from neither. Returns two numbers
 * for each: 0 entered, 1 no place, 2 window full; and the milliseconds until the oldest call leaves a full window.
 */
export function enterScript(time: string = SERVER_TIME): string {
  return `${time}
local quota, windowMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local most, leaseMs = tonumber(ARGV[3]), tonumber(ARGV[4])
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
local answers = {}
for i = 1, #KEYS, 2 do
  local code, waitMs = enter(KEYS[i], KEYS[i + 1], ARGV[4 + (i + 1) / 2])
  answers[i], answers[i + 1] = code, waitMs
end
return answers`
}

/** A key and an id for each call. */
export const LEAVE_SCRIPT = `
for i = 1, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i]) end
return #KEYS`
