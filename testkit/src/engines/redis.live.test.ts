import { expect, test } from 'vitest'
import { askRedis, startPrivateRedis } from './redis.ts'

test('a private Redis keeps its keys over SIGKILL and loses them with a wipe', async () => {
  const redis = await startPrivateRedis()
  try {
    await askRedis(redis.url, 'SET kept yes')
    await redis.kill()
    await redis.start()
    expect(await askRedis(redis.url, 'GET kept')).toContain('yes')

    await redis.kill()
    await redis.wipe()
    await redis.start()
    expect(await askRedis(redis.url, 'GET kept')).toBe('$-1\r\n')
  } finally {
    await redis.remove()
  }
})
