import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instant } from '@sealpost/kernel'
import { telemetryConformance } from '@sealpost/testkit/conformance/telemetry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RecordedSpan, recordingTelemetry, startTelemetry, type TelemetryOptions } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealpost-telemetry-'))
const collector = openCollector()
let logs = 0

beforeAll(() => collector.listen())
afterAll(async () => {
  await collector.close()
  rmSync(folder, { recursive: true })
})

telemetryConformance('a started process, its log file and its collector', async () => {
  collector.received.length = 0
  const path = logPath()
  const telemetry = startTelemetry(options({ logDestination: path, traceExporterUrl: collector.url() }))
  return {
    telemetry,
    async logText() {
      await telemetry.close()
      return readFileSync(path, 'utf8')
    },
    async spans() {
      await telemetry.close()
      return collector.received
    },
    end: () => telemetry.close(),
  }
})

telemetryConformance('recorded in memory', () => {
  const telemetry = recordingTelemetry()
  return Promise.resolve({
    telemetry,
    logText: () => Promise.resolve(telemetry.text()),
    spans: () => Promise.resolve(telemetry.spans()),
    end: () => telemetry.close(),
  })
})

describe('a process', () => {
  test.each(['throw new Error("crash")', 'process.exit(3)'])('that ends by %s has written its log', async (end) => {
    const path = logPath()
    const program = `
      import { startTelemetry } from '${import.meta.resolve('./index.ts')}'
      const telemetry = startTelemetry({
        service: 'test', version: '1', instanceId: 'a', logLevel: 'info', logDestination: '${path}',
        clock: { now: () => 0 }, random: { bytes: (length) => new Uint8Array(length) },
      })
      telemetry.log.info({}, 'the last line')
      ${end}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    expect(code).not.toBe(0)
    expect(readFileSync(path, 'utf8')).toContain('the last line')
  })

  test('whose log has lost its reader continues without it', async () => {
    const program = `
      import { startTelemetry } from '${import.meta.resolve('./index.ts')}'
      const telemetry = startTelemetry({
        service: 'test', version: '1', instanceId: 'a', logLevel: 'info', logDestination: 'stdout',
        clock: { now: () => 0 }, random: { bytes: (length) => new Uint8Array(length) },
      })
      for (let i = 0; i < 2000; i += 1) telemetry.log.info({ i }, 'an unread line')
      await telemetry.close()
      telemetry.log.info({}, 'after the end')
      process.exit(Number((await telemetry.prometheus()).match(/log_dropped_lines_total (\\d+)/)[1]) === 2001 ? 0 : 1)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.destroy()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('shows its CPU time, memory and event loop delay', async () => {
    const telemetry = startTelemetry(options({ logDestination: logPath() }))
    const text = await telemetry.prometheus()
    await telemetry.close()
    expect(text).toMatch(/^process_cpu_user_seconds_total \d/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d{7}/m)
    expect(text).toMatch(/^process_heap_used_bytes \d{6}/m)
    expect(text).toMatch(/^event_loop_delay_p99_seconds \d/m)
    expect(text).toContain('target_info{service_name="test",service_version="1",service_instance_id="a"} 1')
  })

  test('without a collector runs its work untraced', async () => {
    const telemetry = startTelemetry(options({ logDestination: logPath() }))
    const seen = await telemetry.trace('edge', {}, () => Promise.resolve(telemetry.currentTraceparent()))
    await telemetry.close()
    expect(seen).toBeNull()
  })

  test('reports once that the collector is unreachable, counts dropped spans, and still ends', async () => {
    const path = logPath()
    const telemetry = startTelemetry(
      options({ logDestination: path, traceExporterUrl: 'http://127.0.0.1:9/v1/traces' }),
    )
    await telemetry.trace('edge', {}, () => Promise.resolve())
    await telemetry.close()
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.filter((line) => line.includes('traces do not reach the collector'))).toHaveLength(1)
    expect(await telemetry.prometheus()).toContain('trace_spans_total{outcome="dropped"} 1')
  })

  test('that cannot write its log does not start, and names the file', () => {
    const path = join(folder, 'missing', 'log')
    expect(() => startTelemetry(options({ logDestination: path }))).toThrow(path)
  })
})

function options(own: Partial<TelemetryOptions>): TelemetryOptions {
  return {
    service: 'test',
    version: '1',
    instanceId: 'a',
    logLevel: 'info',
    logDestination: 'stdout',
    traceSampleRatio: 1,
    clock: { now: () => instant(0) },
    random: { bytes: (length) => new Uint8Array(length) },
    ...own,
  }
}

function logPath(): string {
  logs += 1
  return join(folder, `${logs}.log`)
}

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

interface OtlpSpan extends Omit<RecordedSpan, 'attributes' | 'parentSpanId' | 'failed'> {
  readonly parentSpanId?: string
  readonly status: { readonly code: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

function openCollector() {
  const received: RecordedSpan[] = []
  const server = createServer((request, response) => {
    void readJson(request).then((sent) => {
      received.push(
        ...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)).map(seenSpan),
      )
      response.end('{}')
    })
  })
  return {
    received,
    listen: async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')),
    url: () => `http://127.0.0.1:${(server.address() as { port: number }).port}/v1/traces`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function readJson(request: IncomingMessage): Promise<Otlp> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text) as Otlp
}

function seenSpan(span: OtlpSpan): RecordedSpan {
  return {
    name: span.name,
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? null,
    failed: span.status.code === 2,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  }
}
