import { Secret } from '@sealpost/kernel'
import { ATTRIBUTE_KEYS, type Attributes, type RecordedSpan, type Telemetry } from '@sealpost/telemetry'
import { describe, expect, test } from 'vitest'

export interface TelemetryUnderTest {
  readonly telemetry: Telemetry
  /** Everything that was logged, as text. */
  readonly logText: () => Promise<string>
  /** What has left for the collector; every trace is sampled. */
  readonly spans: () => Promise<readonly RecordedSpan[]>
  readonly end: () => Promise<void>
}

type OpenTelemetry = () => Promise<TelemetryUnderTest>

const PLANTED = 'pl4nted-plaintext'
const SAMPLED_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const UNSAMPLED_PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'

/** What the log, the metrics and the traces of every implementation must hold. */
export function telemetryConformance(name: string, open: OpenTelemetry): void {
  describe(`telemetry: ${name}`, () => {
    describeLog(open)
    describeMetrics(open)
    describeTraces(open)
    describeTraceparent(open)
  })
}

function describeLog(open: OpenTelemetry): void {
  test.each([
    ['a header', { headers: { Authorization: `Bearer ${PLANTED}`, cookie: PLANTED } }],
    ['a wire member', { client_secret: PLANTED, auth_verifier: PLANTED, otk: PLANTED, passphrase: PLANTED }],
    ['a variable', { clientSecret: PLANTED, refreshToken: PLANTED, privateKey: PLANTED, code: PLANTED }],
    ['a member deep inside', { a: { b: [{ c: { password: PLANTED } }] } }],
    ['a value or a body', { request: { body: { anything: PLANTED }, value: PLANTED } }],
    ['a Secret', { plain: new Secret(PLANTED), nested: { list: [new Secret(PLANTED)] } }],
    ['bytes', { file: Buffer.from(PLANTED) }],
    ['the query of a URL', { target: new URL(`https://example.test/a?code=${PLANTED}`) }],
    ['a circle', circular()],
    ['a driver error', { err: Object.assign(new Error('failed'), { detail: PLANTED, parameters: [PLANTED] }) }],
    ['a JSON error', { err: parseError(`${PLANTED} is not JSON`) }],
    ['a PostgreSQL data error', { err: Object.assign(new Error(`invalid uuid: "${PLANTED}"`), { code: '22P02' }) }],
    ['an error with a credential', { err: new Error(`GET redis://user:${PLANTED}@host/0?x=${PLANTED}`) }],
    ['the cause of an error', { err: new Error('outer', { cause: new Error(`Bearer ${PLANTED}`) }) }],
    ['an error in place of fields', new Error(`sent Basic ${PLANTED}`)],
  ])('%s is printed without what it holds', async (_what, fields) => {
    const { telemetry, logText, end } = await open()
    telemetry.log.error(fields, 'as fields')
    telemetry.log.child(fields).warn({}, 'as a child')
    const text = await logText()
    await end()
    expect(text).toContain('as fields')
    expect(text).toContain('as a child')
    expect(text).not.toContain(PLANTED)
  })

  test('what is not secret is printed: names, numbers, error type, code, key and frames', async () => {
    const { telemetry, logText, end } = await open()
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    const err = Object.assign(new TypeError('outer', { cause }), { key: 'rate.limited' })
    telemetry.log.error({ status: 503, operation: 'readWhoami', has_token: true, token: null, err }, 'request failed')
    const text = await logText()
    await end()
    expect(text).toContain('    at ')
    expect(JSON.parse(text)).toMatchObject({
      level: 'error',
      msg: 'request failed',
      status: 503,
      operation: 'readWhoami',
      token: null,
      has_token: true,
      err: {
        type: 'TypeError',
        key: 'rate.limited',
        cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
      },
    })
  })
}

function describeMetrics(open: OpenTelemetry): void {
  test('a counter, a histogram and a gauge are shown in Prometheus text', async () => {
    const { telemetry, end } = await open()
    telemetry.counter('things_done', 'Things done').add(2, { outcome: 'good', operation: 'x' })
    telemetry.counter('things_done', 'Things done').bind({ operation: 'x', outcome: 'good' }).add(3)
    telemetry.histogram('wait_seconds', 'Time waited').record(0.004)
    telemetry.gauge('depth', 'Things waiting', () => 7, { store: 'redis' })
    const lines = (await telemetry.prometheus()).split('\n')
    await end()
    expect(lines).toContain('things_done_total{operation="x",outcome="good"} 5')
    expect(lines).toContain('wait_seconds_bucket{le="0.0025"} 0')
    expect(lines).toContain('wait_seconds_bucket{le="0.005"} 1')
    expect(lines).toContain('wait_seconds_count 1')
    expect(lines).toContain('depth{store="redis"} 7')
  })

  test('a label that is not on the list is not shown', async () => {
    const { telemetry, end } = await open()
    telemetry.counter('things_done', 'Things done').add(1, smuggled())
    const text = await telemetry.prometheus()
    await end()
    expect(text).toContain('things_done_total{outcome="good"} 1')
    expect(text).not.toContain(PLANTED)
  })

  test('a label without bounds cannot fill the memory', async () => {
    const { telemetry, end } = await open()
    const counter = telemetry.counter('things_done', 'Things done')
    for (let job = 0; job < 5_000; job += 1) counter.add(1, { job })
    const series = (await telemetry.prometheus()).split('\n').filter((line) => line.startsWith('things_done_total'))
    await end()
    expect(series.length).toBeLessThan(2_100)
    expect(series.at(-1)).toBe('things_done_total{otel_metric_overflow="true"} 3000')
  })

  test('a gauge that throws does not spoil the scrape', async () => {
    const { telemetry, end } = await open()
    telemetry.gauge('broken', 'Cannot be read', () => {
      throw new Error('gone')
    })
    telemetry.gauge('whole', 'Can be read', () => 1)
    expect(await telemetry.prometheus()).toContain('\nwhole 1\n')
    await end()
  })
}

function describeTraces(open: OpenTelemetry): void {
  test('inner spans belong to the trace that is running, and only to that', async () => {
    const { telemetry, spans, end } = await open()
    const inner = () => telemetry.span('inner', { operation: 'b' }, () => Promise.resolve('done'))
    const answers = await Promise.all([
      telemetry.trace('first', {}, inner),
      telemetry.trace('second', {}, inner),
      telemetry.span('outside of a trace', {}, () => Promise.resolve('done')),
    ])
    const seen = await spans()
    await end()
    expect(answers).toEqual(['done', 'done', 'done'])
    expect(seen.map((span) => span.name).toSorted()).toEqual(['first', 'inner', 'inner', 'second'])
    for (const span of seen.filter(({ name }) => name === 'inner')) {
      const root = seen.find(({ spanId }) => spanId === span.parentSpanId)
      expect(root?.traceId).toBe(span.traceId)
    }
  })

  test('only listed attribute keys leave the process, and an error leaves as its kind', async () => {
    const { telemetry, spans, end } = await open()
    const refusal = Object.assign(new Error(PLANTED), { key: 'rate.limited' })
    const work = telemetry.trace('edge', smuggled(), async (span) => {
      span.set({ ...smuggled(), 'http.response.status_code': 429 })
      await telemetry.span('inner', {}, () => Promise.reject(refusal))
    })
    await expect(work).rejects.toBe(refusal)
    const seen = await spans()
    await end()
    expect(seen.map((span) => [span.name, span.failed, span.attributes['error.type']])).toEqual([
      ['inner', true, 'rate.limited'],
      ['edge', true, 'rate.limited'],
    ])
    const keys = new Set(seen.flatMap((span) => Object.keys(span.attributes)))
    expect([...keys].filter((key) => !(ATTRIBUTE_KEYS as readonly string[]).includes(key))).toEqual([])
    expect(JSON.stringify(seen)).not.toContain(PLANTED)
  })
}

function describeTraceparent(open: OpenTelemetry): void {
  test('traceparent carries a trace into another process, with its sampling decision', async () => {
    const { telemetry, spans, end } = await open()
    const seeParent = () => Promise.resolve(telemetry.currentTraceparent())
    const continued = await telemetry.trace('sampled elsewhere', {}, seeParent, SAMPLED_PARENT)
    const unsampled = await telemetry.trace('left out elsewhere', {}, seeParent, UNSAMPLED_PARENT)
    const begun = await telemetry.trace('garbage is no parent', {}, seeParent, 'garbage')
    const seen = await spans()
    await end()
    expect(continued).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    expect(unsampled).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(begun).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(seen.map((span) => [span.name, span.parentSpanId])).toEqual([
      ['sampled elsewhere', 'b7ad6b7169203331'],
      ['garbage is no parent', null],
    ])
  })

  test('work that is left out of sampling does not write itself into the trace it was started from', async () => {
    const { telemetry, spans, end } = await open()
    await telemetry.trace('request', {}, () =>
      telemetry.trace('job', {}, () => telemetry.span('step', {}, () => Promise.resolve()), UNSAMPLED_PARENT),
    )
    const seen = await spans()
    await end()
    expect(seen.map((span) => span.name)).toEqual(['request'])
  })

  test('a log line inside a trace names it', async () => {
    const { telemetry, logText, end } = await open()
    await telemetry.trace('request', {}, () => Promise.resolve(telemetry.log.info({}, 'inside')), SAMPLED_PARENT)
    expect(JSON.parse(await logText())).toMatchObject({ msg: 'inside', trace_id: '0af7651916cd43dd8448eb211c80319c' })
    await end()
  })
}

/** Attributes that a careless spread brought along: the compiler cannot see them. */
function smuggled(): Attributes {
  const careless = { outcome: 'good', email: PLANTED, 'db.query.text': PLANTED }
  return careless
}

function circular(): object {
  const circle: Record<string, unknown> = { token: PLANTED }
  circle['self'] = circle
  return circle
}

function parseError(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}
