import type { FlowRun } from './run.ts'

/** A place in the signing line of a run: one party signs or accepts its copy of one document. */
export interface SigningStep {
  /** Counts from 1. */
  readonly position: number
  readonly outputKey: string
  /** The name of the document. */
  readonly name: string
  readonly party: string
  readonly act: 'sign' | 'accept'
  /** Only one step is open at a time. `ended`: the run was cancelled before it. */
  readonly state: 'waiting' | 'open' | 'done' | 'ended'
  readonly actedAt: string | null
  /** The copy of the party. */
  readonly documentId: string
  /** Whether this client acts for the party. */
  readonly isOwn: boolean
}

/** The line in its order; empty until the documents are made. */
export function signingSteps({ participants }: FlowRun, ownUserId: string): readonly SigningStep[] {
  const steps = participants.flatMap(({ party_key: party, person_user_id: userId, documents }) =>
    documents.flatMap((copy): readonly SigningStep[] => {
      const { position, output_key: outputKey, name, document_id: documentId, acted_at: actedAt } = copy
      if (position === null) return []
      const act = copy.requires_acceptance ? 'accept' : 'sign'
      const own = { isOwn: userId === ownUserId, state: stateOf(copy) }
      return [{ position, outputKey, name, party, act, actedAt, documentId, ...own }]
    }),
  )
  return steps.toSorted((one, other) => one.position - other.position)
}

/** The step that the run waits for; null when there is none. */
export function openSigningStep(run: FlowRun, ownUserId: string): SigningStep | null {
  return signingSteps(run, ownUserId).find(({ state }) => state === 'open') ?? null
}

type Copy = FlowRun['participants'][number]['documents'][number]

function stateOf({ document_status: status, action }: Copy): SigningStep['state'] {
  if (status === 'ready_to_sign' || status === 'offering') return 'open'
  if (action !== null) return 'done'
  return status === 'waiting' ? 'waiting' : 'ended'
}

/** The own copy of an output: of several, should one user have several parties, the one whose turn it is. */
export function ownCopyOf({ id, participants }: FlowRun, ownUserId: string, outputKey: string): Copy {
  const own = participants
    .filter(({ person_user_id: userId }) => userId === ownUserId)
    .flatMap(({ documents }) => documents)
    .filter((copy) => copy.output_key === outputKey)
  const copy = own.find((one) => stateOf(one) === 'open') ?? own[0]
  if (copy === undefined) throw new TypeError(`run ${id} has made no document ${outputKey}`)
  return copy
}
