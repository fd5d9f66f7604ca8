import { findDaemon, waitForDaemon } from './processes.ts'

/** How an engine came to be there. */
export type Origin = 'given' | 'found' | 'running' | 'started'

/** An engine before anything is done: it already answers, or it has to be started, with these packages. */
export type Survey =
  | { readonly state: 'there'; readonly origin: Exclude<Origin, 'started'>; readonly url: string }
  | { readonly state: 'missing'; readonly packages: readonly string[]; readonly start: () => Promise<string> }

export interface EnginePlan {
  /** The name of its daemon when it is ours. */
  readonly daemon: string
  /** Where an engine of the machine's owner would be; null when we could not use that one. */
  readonly wellKnownUrl: string | null
  readonly answers: (url: string) => Promise<boolean>
  /** What has to be installed before it can be started. */
  readonly packages: readonly string[]
  readonly start: () => Promise<string>
}

export interface ReadyEngine {
  readonly engine: string
  readonly origin: Origin
  readonly url: string
  readonly seconds: number
}

const RUNNING_DEADLINE_MS = 20_000

/** Prefers what a setting names, then what we started before, then what the machine has; else it must be started. */
export async function surveyEngine(given: string | undefined, plan: EnginePlan): Promise<Survey> {
  if (given !== undefined) return { state: 'there', origin: 'given', url: given }
  if (findDaemon(plan.daemon) !== null) {
    const url = await waitForDaemon(plan.daemon, RUNNING_DEADLINE_MS, plan.answers)
    return { state: 'there', origin: 'running', url }
  }
  const { wellKnownUrl: url } = plan
  if (url !== null && (await plan.answers(url))) return { state: 'there', origin: 'found', url }
  return { state: 'missing', packages: plan.packages, start: plan.start }
}

/** Uses the engine that is there, or starts it; the packages are installed by now. */
export async function makeReady(engine: string, survey: Survey): Promise<ReadyEngine> {
  if (survey.state === 'there') return { engine, origin: survey.origin, url: survey.url, seconds: 0 }
  console.log(`  starting ${engine} …`)
  const began = performance.now()
  const url = await survey.start()
  return { engine, origin: 'started', url, seconds: (performance.now() - began) / 1000 }
}
