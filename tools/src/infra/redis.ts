import { answersPing, redisFlags, redisProgram } from '@sealpost/testkit/engines'
import { Redis } from 'ioredis'
import type { EnginePlan } from './engine.ts'
import { localFolder } from './local-folder.ts'
import { hasProgram } from './packages.ts'
import { startAtPort } from './ports.ts'

const PREFERRED_PORT = 6379
const DAEMON = 'redis'
const KEYS_PER_ROUND = 500

/**
 * One server for all sites, each with a database number of its own. Its few databases cannot be divided among checkouts,
 * so one that is found is used only where none can be started.
 */
export function planRedis(): EnginePlan {
  const isInstalled = hasProgram('redis-server') || hasProgram('valkey-server')
  return {
    daemon: DAEMON,
    wellKnownUrl: isInstalled ? null : `redis://127.0.0.1:${PREFERRED_PORT}`,
    answers: answersPing,
    packages: isInstalled ? [] : ['redis-server'],
    start: startRedis,
  }
}

export async function checkRedis(url: string): Promise<void> {
  await withRedis(url, (redis) => redis.ping())
}

/** Deletes our keys from one database; with SCAN, because KEYS blocks the server. */
export async function deleteKeys(url: string): Promise<number> {
  return withRedis(url, async (redis) => {
    let deleted = 0
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', 'sealpost:*', 'COUNT', KEYS_PER_ROUND)
      if (keys.length > 0) deleted += await redis.unlink(...keys)
      cursor = next
    } while (cursor !== '0')
    return deleted
  })
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 5000 })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

function startRedis(): Promise<string> {
  return startAtPort({
    daemon: DAEMON,
    preferredPort: PREFERRED_PORT,
    urlAt: (port) => `redis://127.0.0.1:${port}`,
    commandAt: (port) => ({ file: redisProgram(), args: redisFlags(port, localFolder('redis')) }),
    answers: answersPing,
  })
}
