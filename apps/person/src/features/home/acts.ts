import type { ConnectionView, InvitationView } from '../../worker/commands/connections.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import type { ThreadHeadView } from '../../worker/commands/messages.ts'
import type { PaperView } from '../../worker/commands/papers.ts'
import { isWaiting } from '../flows/run-words.ts'

/** What the home page reads; null where it could not be read, or not yet. */
export interface HomeReads {
  readonly papers: readonly PaperView[] | null
  readonly threads: readonly ThreadHeadView[] | null
  readonly runs: readonly RunRow[] | null
  readonly connections: readonly ConnectionView[] | null
  readonly invitations: readonly InvitationView[] | null
}

/** Something that waits for the person. */
export type HomeAct =
  | { readonly kind: 'paper'; readonly of: PaperView }
  | { readonly kind: 'messages'; readonly of: ThreadHeadView }
  | { readonly kind: 'form'; readonly of: RunRow }
  | { readonly kind: 'asked'; readonly of: ConnectionView }
  | { readonly kind: 'invitation'; readonly of: InvitationView }

/** One row for each job: a paper of a form that waits for the same signature stands for both. */
export function homeActs({ papers, threads, runs, connections, invitations }: HomeReads): readonly HomeAct[] {
  const isPaper = ({ connectionId, state }: RunRow): boolean =>
    state.kind === 'sign' &&
    (papers ?? []).some((paper) => paper.id === state.paperId && paper.connectionId === connectionId)
  return [
    ...(papers ?? []).map((of) => ({ kind: 'paper', of }) as const),
    ...(threads ?? []).filter(({ unread }) => unread > 0).map((of) => ({ kind: 'messages', of }) as const),
    ...(runs ?? []).filter((row) => isWaiting(row.state) && !isPaper(row)).map((of) => ({ kind: 'form', of }) as const),
    ...(connections ?? [])
      .filter(({ asked }) => asked.some(({ isPending }) => isPending))
      .map((of) => ({ kind: 'asked', of }) as const),
    ...(invitations ?? []).map((of) => ({ kind: 'invitation', of }) as const),
  ]
}

/** Whether nothing else can wait. */
export function isComplete(reads: HomeReads): boolean {
  return Object.values(reads).every((read) => read !== null)
}
