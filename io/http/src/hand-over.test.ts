import type { ServerResponse } from 'node:http'
import { parseClientId } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import { openGates } from '@sealpost/testkit/open-gates'
import { afterAll, expect, test } from 'vitest'
import { bindHandOver, type NoteRefusal } from './hand-over.ts'
import { openServer } from './server.ts'
import { readOpen } from './testing/operations.ts'
import { startTestServer } from './testing/server.ts'

const other = await startTestServer()
const telemetry = recordingTelemetry()
const server = openServer({ ...other.server.options, telemetry })
let write: (response: ServerResponse, note: NoteRefusal) => void
bindHandOver(server, openGates, { operation: readOpen, handOver: (_request, response, note) => write(response, note) })
const url = await server.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  await server.close(1000)
  await other.close()
})

const spans = () => telemetry.spans().filter(({ name }) => name === readOpen.id)
const lines = () => telemetry.lines().filter((line) => line['operation'] === readOpen.id)

test('span and log line record the final status of the library, not the status at hand-over', async () => {
  write = (response) => {
    response.statusCode = 404
    setImmediate(() => response.writeHead(201, { 'content-type': 'text/plain' }).end('made'))
  }
  const response = await fetch(`${url}/api/open`)
  expect([response.status, await response.text()]).toEqual([201, 'made'])
  await expect.poll(spans).toMatchObject([{ attributes: { 'http.response.status_code': 201 } }])
  expect(lines()).toMatchObject([{ status: 201 }])
})

test('a refusal that the library notes is in the log line, with the client that it names', async () => {
  const clientId = parseClientId(`svc_${'0'.repeat(24)}`)
  write = (response, note) => {
    note('oauth.bad_client', clientId)
    response.writeHead(401).end()
  }
  await fetch(`${url}/api/open`)
  await expect
    .poll(() => lines().at(-1))
    .toMatchObject({ status: 401, error_key: 'oauth.bad_client', client_id: clientId })
})

test('a caller who leaves before the library has answered leaves no span open', async () => {
  const seen = Promise.withResolvers<void>()
  write = () => seen.resolve()
  const leaving = new AbortController()
  const asked = fetch(`${url}/api/open`, { signal: leaving.signal })
  await seen.promise
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => lines().at(-1)).toMatchObject({ status: 499 })
  await expect.poll(spans).toHaveLength(3)
})
