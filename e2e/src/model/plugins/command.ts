import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { Counts } from '../flows/counts.ts'
import { tryMany } from '../many.ts'
import { carryCase } from './carry-case.ts'
import { type CarryingSite, openCarryingSite } from './carrying-site.ts'
import { checkCase } from './check-case.ts'
import { findInMemory } from './process-memory.ts'
import { PLANTED } from './random-case.ts'

const FULL = { count: 5000, carried: 200 }
const SMALL = { count: 200, carried: 6 }

/**
 * `npm run model -- plugins [--count N] [--carried M] [--seed S] [--small]`: what clients send to plugins, by the pure half
 * alone, and M of the same cases with the SDK through two regions and a forwarder to a plugin that records everything.
 */
export async function tryPlugins(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string' },
      carried: { type: 'string' },
      seed: { type: 'string' },
      small: { type: 'boolean' },
    },
  })
  const isSmall = values.small === true
  const size = isSmall ? SMALL : FULL
  const seed = Number(values.seed ?? (isSmall ? 1 : randomInt(2 ** 31)))
  const count = Number(values.count ?? size.count)
  const trial = { name: 'plugins', count, small: count, run: checkCase }
  const tried = await tryMany(trial, [...(isSmall ? ['--small'] : []), '--seed', String(seed)])
  const carried = Number(values.carried ?? size.carried)
  const findings = carried === 0 ? 0 : await carryMany(seed, carried)
  return tried === 0 && findings === 0 ? 0 : 1
}

async function carryMany(seed: number, count: number): Promise<number> {
  await using site = await openCarryingSite()
  const counts = new Counts()
  let findings = 0
  const report = (finding: string): void => {
    findings += 1
    console.log(finding)
  }
  for (let index = 0; index < count; index += 1) {
    try {
      await carryCase(site, seed + index * 7919, counts)
    } catch (error) {
      report(`case ${index} (seed ${seed + index * 7919}): ${error instanceof Error ? error.stack : String(error)}`)
      await site.plugin.taken()
    }
    if ((index + 1) % 20 === 0) console.log(`  ${index + 1} carried`)
  }
  for (const trace of await tracesAtForwarder(site)) report(trace)
  for (const [what, times] of counts.entries()) console.log(`  ${what}: ${times}`)
  console.log(`plugins: seed=${seed} carried=${counts.get('carried')} findings=${findings}`)
  return findings
}

/** No given text, private or not, is in the memory of the forwarder, in its logs or in Redis. */
async function tracesAtForwarder({ forwarder, logs, redisUrl, pluginId }: CarryingSite): Promise<readonly string[]> {
  const findings: string[] = []
  // The id of the plugin passes in the open: the search finds what is there.
  const found = findInMemory(forwarder.pid(), [PLANTED, pluginId])
  if (!found.includes(pluginId)) findings.push('the search of the memory finds nothing')
  if (found.includes(PLANTED)) findings.push('a text that was given is in the memory of the forwarder')
  const written = logs.join('\n')
  if (!written.includes('forwarder.call_plugin')) findings.push('the forwarder has logged no call')
  if (written.includes(PLANTED)) findings.push('a text that was given is in the logs of the forwarder')
  const stored = await redisContents(redisUrl)
  if (!stored.includes(pluginId)) findings.push('Redis holds no quota of the plugin')
  if (stored.includes(PLANTED)) findings.push('a text that was given is in Redis')
  return findings
}

async function redisContents(url: string): Promise<string> {
  const redis = new Redis(url)
  try {
    const texts: string[] = []
    for (const key of await redis.keys('*')) {
      const type = await redis.type(key)
      if (type === 'string') texts.push(key, (await redis.get(key)) ?? '')
      else if (type === 'zset') texts.push(key, ...(await redis.zrange(key, '0', '-1')))
      else if (type === 'hash') texts.push(key, JSON.stringify(await redis.hgetall(key)))
      else if (type === 'set') texts.push(key, ...(await redis.smembers(key)))
      else texts.push(key, ...(await redis.lrange(key, 0, -1)))
    }
    return texts.join('\n')
  } finally {
    redis.disconnect()
  }
}
