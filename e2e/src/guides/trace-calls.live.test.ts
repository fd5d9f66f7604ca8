import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { openWorld, reservePort } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const RECORDER = fileURLToPath(new URL('./record-spans.ts', import.meta.url))
const REQUEST_ID = expect.stringMatching(/^[\w-]{36}$/)

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const guide = await openGuide('client/sdk/README.md', world)
const CREDENTIALS = {
  FRONT_DOOR: world.frontDoor.url,
  CLIENT_ID: northwind.clientId,
  CLIENT_SECRET: northwind.clientSecret,
}

/** Runs the program in a process whose OpenTelemetry records; `spans` is the JSON of all of them. */
async function trace(variables: Partial<typeof CREDENTIALS>): Promise<{ readonly printed: string; spans: string }> {
  const SPANS = join(guide.folder, 'spans.json')
  const recorder = { NODE_OPTIONS: `--import ${RECORDER}`, SPANS }
  const printed = await guide.run('trace-calls', { ...CREDENTIALS, ...recorder, ...variables }).catch(String)
  return { printed, spans: readFileSync(SPANS, 'utf8') }
}

const span = (method: string, url: string, status?: number) => ({
  name: method,
  kind: SpanKind.CLIENT,
  status: { code: status === 200 ? SpanStatusCode.UNSET : SpanStatusCode.ERROR },
  attributes: {
    'http.request.method': method,
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    'url.full': url,
    'sealpost.request_id': REQUEST_ID,
  },
  startTime: expect.anything(),
  endTime: expect.anything(),
  events: [],
})

test('the sample of the SDK makes a span of each exchange, without secrets and values', async () => {
  const { printed, spans } = await trace({})
  expect(printed).toContain(northwind.companyId)
  expect(JSON.parse(spans)).toEqual([
    span('POST', `${world.frontDoor.url}/oauth2/token`, 200),
    span('GET', `${world.eu.url}/api/company-data/whoami`, 200),
  ])
  for (const { startTime, endTime } of JSON.parse(spans))
    expect(milliseconds(endTime)).toBeGreaterThanOrEqual(milliseconds(startTime))
  // The answer of the call has the ids; the token is a JWT.
  for (const part of [northwind.clientSecret, northwind.companyId, 'eyJ', 'Bearer']) expect(spans).not.toContain(part)
})

test('the span of a refused call has the status of an error, without the secret that was refused', async () => {
  const CLIENT_SECRET = 'wrong-secret-of-a-client'
  const { printed, spans } = await trace({ CLIENT_SECRET })
  expect(printed).toContain('oauth.bad_client')
  expect(JSON.parse(spans)).toEqual([span('POST', `${world.frontDoor.url}/oauth2/token`, 401)])
  expect(spans).not.toContain(CLIENT_SECRET)
})

test('the spans of a call without an answer have the status of an error', async () => {
  const FRONT_DOOR = `http://127.0.0.1:${(await reservePort()).port}`
  const { printed, spans } = await trace({ FRONT_DOOR })
  expect(printed).toContain('was not answered')
  const made: readonly unknown[] = JSON.parse(spans)
  expect(made.length).toBeGreaterThan(0)
  for (const one of made) expect(one).toEqual(span('POST', `${FRONT_DOOR}/oauth2/token`))
})

function milliseconds([seconds, nanoseconds]: readonly [number, number]): number {
  return seconds * 1000 + nanoseconds / 1e6
}
