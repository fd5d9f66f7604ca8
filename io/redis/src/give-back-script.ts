/**
 * Returns a token to each bucket. Keys as in `takeScript`, and three arguments for each: refill, cost, capacity. The
 * arithmetic is that of `deficitAfterReturn` in bucket.ts.
 */
export function giveBackScript(time: string): string {
  return `${time}
for i = 1, #KEYS do
  local refill, cost, capacity = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local deficit = (tonumber(redis.call('GET', KEYS[i])) or 0) - now * refill
  if deficit > capacity then deficit = 0 end
  deficit = deficit - cost
  if deficit > 0 then
    redis.call('SET', KEYS[i], now * refill + deficit, 'PX', math.ceil(deficit / refill))
  else
    redis.call('DEL', KEYS[i])
  end
end
return 0`
}
