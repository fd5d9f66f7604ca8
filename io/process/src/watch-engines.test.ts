import { instant } from '@sealpost/kernel'
import { recordingTelemetry } from '@sealpost/telemetry'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchEngines } from './watch-engines.ts'

test('an engine that is away is shown with the time and the reason until it works again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const telemetry = recordingTelemetry()
  let now = instant(Date.UTC(2026, 0, 2))
  let fault: string | null = null
  const run = async (): Promise<void> => {
    if (fault !== null) throw new Error(fault)
  }
  const checks = [
    { engine: 'redis', run },
    { engine: 'file store', run: () => new Promise<void>(() => {}) },
  ]
  const watch = watchEngines({ clock: { now: () => now }, telemetry }, checks)
  const frozen = { engine: 'file store', since: '2026-01-02T00:00:00.000+00:00', reason: 'no answer within 2000 ms' }
  await vi.advanceTimersByTimeAsync(2000)
  expect(watch.degraded()).toEqual([frozen])

  now = instant(Date.UTC(2026, 0, 3))
  fault = 'connection refused'
  await vi.advanceTimersByTimeAsync(7000)
  now = instant(Date.UTC(2026, 0, 4))
  await vi.advanceTimersByTimeAsync(7000)
  const away = { engine: 'redis', since: '2026-01-03T00:00:00.000+00:00', reason: 'connection refused' }
  expect(watch.degraded()).toEqual([frozen, away])
  expect(await telemetry.prometheus()).toMatch(/engine_degraded\{[^}]*store="redis"[^}]*\} 1/)

  fault = null
  await vi.advanceTimersByTimeAsync(7000)
  expect(watch.degraded()).toEqual([frozen])
  const lines = telemetry.lines().filter((line) => line['engine'] === 'redis')
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'an engine is away; the process serves without it'],
    ['info', 'an engine works again'],
  ])
  const closing = watch.close()
  await vi.advanceTimersByTimeAsync(7000)
  await closing
})
