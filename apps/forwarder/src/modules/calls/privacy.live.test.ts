import { askRedis } from '@sealpost/testkit/engines'
import { expect, test } from 'vitest'
import { type Handle, honestPlugin, makeKeys, sendJson, startPluginServer } from '../../testing/plugin-server.ts'
import { ask, openSite, post } from '../../testing/site.ts'

/** Texts that must not be found in anything that a forwarder leaves behind. */
const QUERY = 'planted-query-7731'
const INPUT = 'planted-input-7732'
const PICK = 'planted-pick-7733'
const LABEL = 'planted-label-7734'
const TOKEN = 'planted-token-7735'
const PLAIN_ANSWER = 'planted-plain-answer-7736'
const PLANTED = [QUERY, INPUT, PICK, LABEL, TOKEN, PLAIN_ANSWER]

const site = await openSite()
const keys = await makeKeys()
const seen: string[] = []
const honest = honestPlugin(
  () => keys,
  (question) => {
    seen.push(JSON.stringify(question))
    return { options: [{ id: 'a', label: LABEL }], more: false }
  },
)
const server = await startPluginServer(honest)
const forwarder = await site.start({ plugin: server })
/** Sealed texts and passes, which are not plaintexts and must not be kept either. */
const carried: string[] = []

async function call(handle: Handle, builtin = false): Promise<{ readonly status: number; readonly opened: unknown }> {
  server.handle = handle
  const own = builtin ? { builtinKey: 'iso_lists' } : { baseUrl: server.url, token: TOKEN }
  const publicKey = builtin ? site.builtinKeys.publicKey : keys.publicKey
  const plugin = site.plugin({ ...own, publicKey })
  const pass = await site.pass({ plugins: [plugin] })
  const type = builtin ? { field_type: 'country', block: 'country' } : {}
  const { request, open } = await ask(publicKey, {
    query: QUERY,
    inputs: { postcode: INPUT },
    picks: { plan: PICK },
    ...type,
  })
  const answer = await post(forwarder, '/call', { pass, plugin_id: plugin, request })
  const reply = answer.body['reply']
  carried.push(request, pass, ...(typeof reply === 'string' ? [reply] : []))
  return { status: answer.status, opened: reply === undefined ? null : await open(reply) }
}

async function redisContents(): Promise<string> {
  const keyLines = (await askRedis(site.redis.url, 'KEYS *')).split('\r\n').filter((line) => line.includes('quota:'))
  const values = await Promise.all(keyLines.map((key) => askRedis(site.redis.url, `ZRANGE ${key} 0 -1 WITHSCORES`)))
  expect(keyLines.length).toBeGreaterThan(0)
  return [...keyLines, ...values].join('\n')
}

test('neither a question nor a reply is found in logs, traces, metrics, Redis or asks [FWD-16]', async () => {
  expect((await call(honest)).opened).toEqual({ options: [{ id: 'a', label: LABEL }], more: false })
  expect(seen.join('')).toContain(QUERY)
  expect((await call(honest, true)).opened).toEqual({ options: [], more: false })
  expect((await call((_request, response) => sendJson(response, { reply: PLAIN_ANSWER }))).status).toBe(502)
  expect((await call((_request, response) => void response.end(PLAIN_ANSWER))).status).toBe(502)
  expect((await call((_request, response) => sendJson(response, { error: PLAIN_ANSWER }, 500))).status).toBe(502)
  await fetch(`${forwarder.url}/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"request": ${QUERY}`,
  })
  const metrics = await (await fetch(`${forwarder.internalUrl}/internal/metrics`)).text()
  const left = {
    logs: site.telemetry.text(),
    traces: JSON.stringify(site.telemetry.spans()),
    metrics,
    redis: await redisContents(),
  }
  expect(left.logs).toContain('forwarder.call_plugin')
  expect(left.traces).toContain('egress')
  for (const [place, text] of Object.entries(left)) {
    for (const planted of PLANTED) expect(text, `${planted} in ${place}`).not.toContain(planted)
    for (const sealed of carried) expect(text, `a sealed text in ${place}`).not.toContain(sealed.slice(40, 120))
  }
})

test('the plaintexts of a question do not pass through the forwarder: a reply in the open is refused', async () => {
  expect((await call((_request, response) => sendJson(response, { options: [], more: false }))).status).toBe(502)
})
