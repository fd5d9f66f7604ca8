import { NO_FAULT, openWorld, scaled, startFaultProxy } from '@sealpost/testkit'
import { expect, onTestFinished, test } from 'vitest'

const world = await openWorld()

async function ready(internalUrl: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${internalUrl}/internal/ready`)
  return { status: answer.status, body: await answer.json() }
}

test('a region without Redis and the file store is ready, and says which engines are away and since when', async () => {
  const { REDIS_URL = '', S3_ENDPOINT = '' } = world.environment.eu
  const [redis, store] = [await startFaultProxy(REDIS_URL), await startFaultProxy(S3_ENDPOINT)]
  onTestFinished(async () => {
    await redis.close()
    await store.close()
  })
  const region = await world.another('eu', { REDIS_URL: redis.url, S3_ENDPOINT: store.url })
  const degraded = async () => (await ready(region.internalUrl)).body
  expect(await ready(region.internalUrl)).toMatchObject({ status: 200, body: { status: 'ready', degraded: [] } })

  redis.turn({ kind: 'reset' })
  store.turn({ kind: 'frozen' })
  const limits = { timeout: scaled(20_000) }
  await expect.poll(degraded, limits).toEqual({
    status: 'ready',
    checks: [
      { name: 'database', ok: true },
      { name: 'schema', ok: true },
    ],
    degraded: expect.arrayContaining([
      { engine: 'redis', since: world.time(), reason: 'limits are counted in this process' },
      { engine: 'file store', since: world.time(), reason: expect.any(String) },
    ]),
  })
  expect((await ready(region.internalUrl)).status).toBe(200)

  redis.turn(NO_FAULT)
  store.turn(NO_FAULT)
  await expect.poll(degraded, limits).toMatchObject({ degraded: [] })
})
