import { Redis } from 'ioredis'
import type { Piece } from './search.ts'

/** Every key of a Redis with its value. */
export async function readRedis(name: string, url: string): Promise<readonly Piece[]> {
  const client = new Redis(url)
  try {
    const keys = await client.keys('*')
    const pieces: Piece[] = []
    for (const key of keys) {
      const place = `Redis ${name}, ${key}`
      pieces.push({ place, content: key }, { place, content: JSON.stringify(await valueOf(client, key)) })
    }
    return pieces
  } finally {
    client.disconnect()
  }
}

async function valueOf(client: Redis, key: string): Promise<unknown> {
  const type = await client.type(key)
  switch (type) {
    case 'string':
      return client.get(key)
    case 'hash':
      return client.hgetall(key)
    case 'list':
      return client.lrange(key, 0, -1)
    case 'set':
      return client.smembers(key)
    case 'zset':
      return client.zrange(key, '0', '-1')
    case 'stream':
      return client.xrange(key, '-', '+')
    default:
      // Expired since it was listed; other types are unknown to this search.
      if (type === 'none') return null
      throw new Error(`${key} is a ${type}: add it to readRedis`)
  }
}
