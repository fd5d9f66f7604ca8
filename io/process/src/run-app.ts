import type { Clock, Ids, Random, Settings, SettingsTable } from '@sealpost/kernel'
import { type LogLevel, startTelemetry, type Telemetry } from '@sealpost/telemetry'
import { readOrExit } from './read-or-exit.ts'
import { systemClock, systemIds, systemRandom } from './system.ts'

export interface App<Table extends SettingsTable> {
  readonly name: string
  readonly version: string
  readonly settings: Table
  start(settings: Settings<Table>, needs: AppNeeds): Promise<RunningApp>
}

export interface AppNeeds {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
}

export interface RunningApp {
  readonly url: string | null
  readonly internalUrl: string
  close(): Promise<void>
}

/** The settings that every app has; its own table holds them too. */
export interface CommonSettings {
  readonly LOG_LEVEL: LogLevel
  readonly TRACE_URL: string
  readonly TRACE_PERCENT: number
}

const FAILED = 1

/** The life of a server process: settings, start, serve until SIGTERM or SIGINT, finish what is in flight, end. */
export async function runApp<Table extends SettingsTable>(
  app: App<Table>,
  common: (settings: Settings<Table>) => CommonSettings,
): Promise<void> {
  const settings = readOrExit(app.settings)
  const ids = systemIds()
  const { LOG_LEVEL, TRACE_URL, TRACE_PERCENT } = common(settings)
  const telemetry = startTelemetry({
    service: app.name,
    version: app.version,
    instanceId: ids.uuid(),
    logLevel: LOG_LEVEL,
    logDestination: 'stdout',
    traceExporterUrl: TRACE_URL === '' ? null : TRACE_URL,
    traceSampleRatio: TRACE_PERCENT / 100,
    clock: systemClock,
    random: systemRandom,
  })
  try {
    const running = await app.start(settings, { clock: systemClock, ids, random: systemRandom, telemetry })
    telemetry.log.info({ url: running.url, internal_url: running.internalUrl }, `${app.name} is listening`)
    const signal = await endSignal()
    telemetry.log.info({ signal }, `${app.name} is ending`)
    await running.close()
    await telemetry.close()
    process.exit(0)
  } catch (error) {
    telemetry.log.error({ err: error }, `${app.name} could not go on`)
    await telemetry.close()
    process.exit(FAILED)
  }
}

function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal))
  })
}
