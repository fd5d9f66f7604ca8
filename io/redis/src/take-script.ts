import { EPOCH_MS, type Pace } from './bucket.ts'

/** Sets `now`. */
export const SERVER_TIME = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000) - ${EPOCH_MS}`

/** For the test that compares it with bucket.ts: the time comes last among the arguments. */
export const GIVEN_TIME = `
local now = tonumber(ARGV[#ARGV]) - ${EPOCH_MS}`

/** How many different paces one call can name: a pace and a flag share a printable character. */
export const PACE_LIMIT = 32
const FIRST_CHARACTER = 48

/**
 * Takes tokens for many requests in one step. The first argument is a plan with one character per key: which of the
 * paces that follow (refill, cost, capacity) its bucket has, and whether it is the last key of its request. The buckets
 * of a request all give a token or none does. Returns the tokens that were missing from each bucket before; the rest
 * follows from that (bucket.ts, whose arithmetic this repeats). A key expires when its bucket is full.
 */
export function takeScript(time: string = SERVER_TIME): string {
  return `${time}
local plan, deficits, refills, costs = ARGV[1], {}, {}, {}
local first, taken = 1, true
for i = 1, #KEYS do
  local code = string.byte(plan, i) - ${FIRST_CHARACTER}
  local pace, isLast = 3 * math.floor(code / 2) + 1, code % 2 == 1
  local refill, cost, capacity = tonumber(ARGV[pace + 1]), tonumber(ARGV[pace + 2]), tonumber(ARGV[pace + 3])
  local deficit = (tonumber(redis.call('GET', KEYS[i])) or 0) - now * refill
  if deficit < 0 or deficit > capacity then deficit = 0 end
  deficits[i], refills[i], costs[i] = deficit, refill, cost
  taken = taken and deficit + cost <= capacity
  if isLast then
    for j = first, taken and i or 0 do
      local after = deficits[j] + costs[j]
      redis.call('SET', KEYS[j], now * refills[j] + after, 'PX', math.ceil(after / refills[j]))
    end
    first, taken = i + 1, true
  end
end
return deficits`
}

export function planCharacter(paceIndex: number, isLast: boolean): string {
  return String.fromCharCode(FIRST_CHARACTER + 2 * paceIndex + (isLast ? 1 : 0))
}

export function paceArguments(paces: readonly Pace[]): string[] {
  return paces.flatMap(({ refill, cost, capacity }) => [String(refill), String(cost), String(capacity)])
}
