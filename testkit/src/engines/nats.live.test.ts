import { afterAll, beforeAll, expect, test } from 'vitest'
import { askJetStream, natsConfig, startPrivateNats } from './nats.ts'
import type { PrivateEngine } from './private-engine.ts'

let nats: PrivateEngine

beforeAll(async () => {
  nats = await startPrivateNats()
})
afterAll(() => nats.remove())

test('a stream outlives SIGKILL and is gone after a wipe, at the same address', async () => {
  await askJetStream(nats.url, '$JS.API.STREAM.CREATE.KEPT', JSON.stringify({ name: 'KEPT', subjects: ['kept.>'] }))

  await nats.kill()
  await expect(askJetStream(nats.url, '$JS.API.STREAM.NAMES')).rejects.toThrow('ECONNREFUSED')
  await nats.start()
  expect(await askJetStream(nats.url, '$JS.API.STREAM.NAMES')).toContain('KEPT')

  await nats.kill()
  await nats.wipe()
  await nats.start()
  expect(await askJetStream(nats.url, '$JS.API.STREAM.NAMES')).not.toContain('KEPT')
})

test('a running server refuses to be wiped', async () => {
  await expect(nats.wipe()).rejects.toThrow('kill it before wiping')
})

test('every message is synced to disk where the server can do that', () => {
  const site = { port: 4222, store: '/tmp/store' }
  expect(natsConfig({ ...site, version: [2, 10] })).toContain('sync_interval: always')
  expect(natsConfig({ ...site, version: [2, 9] })).not.toContain('sync_interval')
})
