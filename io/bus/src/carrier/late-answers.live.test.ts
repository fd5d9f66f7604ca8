import { recordingTelemetry } from '@sealpost/telemetry'
import { createBusLogins, type PrivateEngine, startPrivateNats } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseParty, type Party } from '../parties.ts'
import { subjectOf } from '../subjects.ts'
import type { Carrier } from './carrier.ts'
import { openNatsCarrier } from './nats.ts'

const [EU, US] = [parseParty('eu'), parseParty('us')]
const WAIT_MS = 20_000
const SUBJECT = subjectOf('ask', { source: US, target: EU })
const logins = createBusLogins()
const telemetry = recordingTelemetry()
const carriers: Carrier[] = []
let nats: PrivateEngine

beforeAll(async () => {
  nats = await startPrivateNats({ account: logins.server(EU) })
})
afterAll(async () => {
  await Promise.all(carriers.map((carrier) => carrier.close()))
  await nats.remove()
})

async function open(self: Party): Promise<Carrier> {
  const server = { servers: [nats.url], key: logins.key(self, EU) }
  const carrier = openNatsCarrier({ server, self, region: EU, log: telemetry.log })
  carriers.push(carrier)
  expect(await carrier.connected(WAIT_MS)).toBe(true)
  return carrier
}

test('an answer that is ready only after the connection was lost is dropped: NATS would refuse it', async () => {
  const [asked, asker] = [await open(EU), await open(US)]
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const serving = asked.serve(SUBJECT, US, async (payload) => {
    if (payload.length > 0) {
      begun.resolve()
      await released.promise
    }
    return Buffer.from('answer')
  })
  const ask = async () => String(await asker.request(SUBJECT, new Uint8Array(), 1000))
  await expect.poll(ask, { timeout: WAIT_MS }).toBe('answer')
  const lost = asker.request(SUBJECT, Buffer.from('slow'), WAIT_MS)
  await begun.promise

  await nats.kill()
  expect(await lost).toBe('connection lost')
  await nats.start()
  await expect.poll(ask, { timeout: WAIT_MS }).toBe('answer')
  released.resolve()

  // A later request has its answer, and by then the server would have reported the earlier one.
  await expect.poll(ask, { timeout: WAIT_MS }).toBe('answer')
  await serving.stop()
  expect(telemetry.text()).toContain('an answer was dropped')
  expect(telemetry.text()).not.toContain('Permissions Violation')
})
