import { once } from 'node:events'
import { createServer } from 'node:http'
import { openEgress } from '@sealpost/egress'
import { sha256Of } from '@sealpost/objects'
import { ApiError } from '@sealpost/protocol'
import { recordingTelemetry } from '@sealpost/telemetry'
import { fixedClock } from '@sealpost/testkit'
import { afterAll, expect, test } from 'vitest'
import { handedOver } from './handed-over.ts'

let status = 503
const bytes = Buffer.from('sealed')
const store = createServer((_, response) => response.writeHead(status).end(bytes)).listen(0, '127.0.0.1')
await once(store, 'listening')
const address = store.address()
const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
const egress = openEgress({ policy: { internalHosts: [host] }, clock: fixedClock() })
afterAll(() => {
  egress.close()
  store.close()
})

test('a store of the customer that does not answer says nothing about the text: the call may be repeated', async () => {
  const values = { url: `http://${host}/values`, sha256: sha256Of(bytes), bytes: bytes.length }
  const message = { otk: '', values, inputs: [], file_slugs: [] }
  const read = () => handedOver({ egress, log: recordingTelemetry().log }, message).values?.()
  const refused = await read()?.catch((error: unknown) => error)
  expect(refused instanceof ApiError && refused.key).toBe('region.unreachable')
  status = 200
  expect(await read()).toBe('sealed')
})
