import type { ListRunsAnswer, ReadRunAnswer } from '../shapes.generated.ts'

/** A run with its pinned definition. The answers are your own copies, still sealed. */
export type FlowRun = ReadRunAnswer

/** A run in a list. */
export type FlowRunSummary = ListRunsAnswer['items'][number]

/** The party that a run waits for. */
export interface AwaitedParty {
  readonly key: string
  readonly label: string
  readonly userId: string
  /** Whether this client acts for it. */
  readonly isOwn: boolean
}

/** Null while documents are made or signed, and when the run is over. */
export function awaitedParty(
  { status, parties, bindings }: Pick<FlowRun, 'status' | 'parties' | 'bindings'>,
  ownUserId: string,
): AwaitedParty | null {
  const party = parties.find(({ key }) => status === `awaiting_${key}`)
  if (party === undefined) return null
  const userId = bindings[party.key] ?? ''
  return { key: party.key, label: party.label, userId, isOwn: userId === ownUserId }
}

/** Null when the run was read without the list: then every answer of another party counts as private. */
export function privateSlugsOf(run: FlowRun): ReadonlySet<string> | null {
  const listed: readonly string[] | null | undefined = run.private_slugs
  return listed === undefined || listed === null ? null : new Set(listed)
}

/** Completed or cancelled. */
export function isOver({ status }: Pick<FlowRun, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}
