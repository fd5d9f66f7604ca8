import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, type Ids, type Random, type Settings, SettingsError, type SettingsTable } from '@sealpost/kernel'
import { startTelemetry, type Telemetry } from '@sealpost/telemetry'
import { endInTime } from './end-in-time.ts'
import { exitForSettings, readOrExit } from './read-or-exit.ts'
import type { processSettings } from './settings.ts'
import { explainFailure } from './start-failure.ts'
import { systemClock, systemIds, systemRandom } from './system.ts'

export interface App<Table extends SettingsTable> {
  /** Also the name of its folder under `apps/`. */
  readonly name: string
  readonly version: string
  readonly settings: Table
  start(settings: Settings<Table>, needs: AppContext): Promise<RunningApp>
}

export interface AppContext {
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
}

export interface RunningApp {
  readonly url: string | null
  readonly internalUrl: string
  /**
   * Reports from now on that it is not ready, and still serves, so that balancers route elsewhere before anything is
   * closed.
   */
  drain?(): void
  close(): Promise<void>
}

/** The settings that `runApp` itself uses; every app's own table contains them too. */
export type CommonSettings = Pick<
  Settings<typeof processSettings>,
  'LOG_LEVEL' | 'TRACE_URL' | 'TRACE_PERCENT' | 'DRAIN_SECONDS' | 'SHUTDOWN_GRACE_SECONDS'
>

const ENDED = 0
const FAILED = 1
/** For engines and workers, which close after the last call. */
const CLOSING_SECONDS = 15
/** An unreachable trace collector must not delay the end. */
const LAST_WORDS_MS = 3_000

/** Runs a server process: settings, start, serve until SIGTERM or SIGINT, finish requests in flight, end. */
export async function runApp<Table extends SettingsTable>(
  app: App<Table>,
  common: (settings: Settings<Table>) => CommonSettings,
): Promise<void> {
  const settings = readOrExit(app.settings)
  const shared = common(settings)
  const ids = systemIds()
  const telemetry = openTelemetry(app, shared, ids)
  // Registered before the start, so that a signal also ends a starting process.
  const asked = endSignal()
  try {
    const starting = app.start(settings, { clock: systemClock, ids, random: systemRandom, telemetry })
    const running = await Promise.race([starting, asked.then(() => null)])
    if (running !== null) {
      telemetry.log.info({ url: running.url, internal_url: running.internalUrl }, `${app.name} is listening`)
    }
    const signal = await asked
    telemetry.log.info({ signal }, `${app.name} is ending`)
    if (running !== null) {
      await endInTime(running, shared.DRAIN_SECONDS, shared.SHUTDOWN_GRACE_SECONDS + CLOSING_SECONDS)
    }
    await exit(telemetry, ENDED)
  } catch (error) {
    telemetry.log.error({ err: error }, explainFailure(app.name, error))
    if (error instanceof SettingsError) exitForSettings(error)
    await exit(telemetry, FAILED)
  }
}

function openTelemetry(app: App<SettingsTable>, shared: CommonSettings, ids: Ids): Telemetry {
  return startTelemetry({
    service: app.name,
    version: app.version,
    instanceId: ids.uuid(),
    logLevel: shared.LOG_LEVEL,
    logDestination: 'stdout',
    traceExporterUrl: shared.TRACE_URL === '' ? null : shared.TRACE_URL,
    traceSampleRatio: shared.TRACE_PERCENT / 100,
    clock: systemClock,
    random: systemRandom,
  })
}

/**
 * `on`, not `once`: Ctrl-C often arrives twice, from the terminal and from npm, and must not cut off requests in
 * flight.
 */
function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve(signal))
  })
}

async function exit(telemetry: Telemetry, code: number): Promise<never> {
  await Promise.race([telemetry.close(), pause(LAST_WORDS_MS)])
  process.exit(code)
}
