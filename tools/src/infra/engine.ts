import { findDaemon, waitForDaemon } from './processes.ts'

/** Where a ready engine comes from. */
export type Origin = 'given' | 'found' | 'running' | 'started'

/** An engine either answers already, or must be started after its packages are installed. */
export type Survey =
  | { readonly state: 'there'; readonly origin: Exclude<Origin, 'started'>; readonly url: string }
  | { readonly state: 'missing'; readonly packages: readonly string[]; readonly start: () => Promise<string> }

export interface EnginePlan {
  /** The name of the daemon that this tool starts. */
  readonly daemon: string
  /** The default address of an engine that the machine already runs; null when such an engine would be unusable. */
  readonly wellKnownUrl: string | null
  readonly answers: (url: string) => Promise<boolean>
  /** The packages that the start needs. */
  readonly packages: readonly string[]
  readonly start: () => Promise<string>
}

export interface ReadyEngine {
  readonly engine: string
  readonly origin: Origin
  readonly url: string
  readonly seconds: number
}

/** Prefers the engine of a setting, then a daemon of an earlier run, then an engine of the machine. */
export async function surveyEngine(given: string | undefined, plan: EnginePlan): Promise<Survey> {
  if (given !== undefined) return { state: 'there', origin: 'given', url: given }
  if (findDaemon(plan.daemon) !== null) {
    const url = await waitForDaemon(plan.daemon, plan.answers)
    return { state: 'there', origin: 'running', url }
  }
  const { wellKnownUrl: url } = plan
  if (url !== null && (await plan.answers(url))) return { state: 'there', origin: 'found', url }
  return { state: 'missing', packages: plan.packages, start: plan.start }
}

/** Uses the engine that answers, or starts it; its packages must be installed. */
export async function makeReady(engine: string, survey: Survey): Promise<ReadyEngine> {
  if (survey.state === 'there') return { engine, origin: survey.origin, url: survey.url, seconds: 0 }
  console.log(`  starting ${engine} …`)
  const began = performance.now()
  const url = await survey.start()
  return { engine, origin: 'started', url, seconds: (performance.now() - began) / 1000 }
}
