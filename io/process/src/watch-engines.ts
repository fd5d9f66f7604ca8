import { type Clock, formatInstant, type Instant } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import { startLoop } from './loop.ts'

/** An engine without which a process still serves. Resolves while it works, rejects with the reason. */
export interface EngineCheck {
  /** `redis`, `nats of eu`, `file store`. */
  readonly engine: string
  readonly run: () => Promise<void>
}

/** For an engine whose state the process knows without asking. */
export function knownState(engine: string, isWorking: () => boolean, reason: string): EngineCheck {
  const run = async (): Promise<void> => {
    if (!isWorking()) throw new Error(reason)
  }
  return { engine, run }
}

/** An engine that is away, as the readiness answer shows it. */
export interface Degradation {
  readonly engine: string
  /** When a check failed first. */
  readonly since: string
  readonly reason: string
}

export interface EngineWatch {
  degraded(): readonly Degradation[]
  close(): Promise<void>
}

const EVERY_MS = 5000
const TIMEOUT_MS = 2000

/**
 * Checks in the background, so that an engine which does not answer delays no readiness answer: a balancer would take the
 * process out although it serves.
 */
export function watchEngines(
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  checks: readonly EngineCheck[],
): EngineWatch {
  const away = new Map<string, { readonly since: Instant; readonly reason: string }>()
  const { log } = telemetry
  for (const { engine } of checks) {
    const read = (): number => (away.has(engine) ? 1 : 0)
    telemetry.gauge('engine_degraded', 'Engines that this process serves without', read, { store: engine })
  }

  async function look({ engine, run }: EngineCheck): Promise<void> {
    const reason = await reasonOf(run)
    const before = away.get(engine)
    if (reason === null) {
      if (away.delete(engine)) log.info({ engine }, 'an engine works again')
      return
    }
    away.set(engine, { since: before?.since ?? clock.now(), reason })
    if (before === undefined) log.warn({ engine, reason }, 'an engine is away; the process serves without it')
  }

  const loop = startLoop({
    name: 'checking the engines',
    log,
    everyMs: EVERY_MS,
    async work() {
      await Promise.all(checks.map(look))
    },
  })
  return {
    degraded: () => [...away].map(([engine, { since, reason }]) => ({ engine, since: formatInstant(since), reason })),
    close: () => loop.close(),
  }
}

async function reasonOf(run: () => Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  try {
    await Promise.race([run(), timeout])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}
