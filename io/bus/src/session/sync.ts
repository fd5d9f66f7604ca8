import type { BusContext } from '../context.ts'
import { carrierOfAsk, type Party } from '../parties.ts'
import type { InboxCursor } from '../store/inbox.ts'
import type { LanePosition } from '../store/sessions.ts'
import { subjectOf } from '../subjects.ts'
import { decodeJson, encodeJson } from '../wire.ts'
import type { Lives } from './rules.ts'

/** The asks between the buses of two parties; modules never see them. */
export type SyncRequest =
  | { readonly op: 'hello'; readonly life: number }
  | {
      readonly op: 'cursors'
      readonly lives: Lives
      readonly after: LanePosition
      readonly limit: number
    }
  | { readonly op: 'cursor'; readonly key: string; readonly incarnation: number }
  | { readonly op: 'skip'; readonly lives: Lives; readonly ranges: readonly SkippedRange[] }

export interface SyncReplies {
  readonly hello: { readonly life: number; readonly isStale: boolean }
  readonly cursors: readonly InboxCursor[]
  readonly cursor: { readonly life: number; readonly appliedSeq: number }
  readonly skip: { readonly isDone: true }
}

export interface SkippedRange {
  readonly key: string
  readonly incarnation: number
  readonly fromSeq: number
  readonly toSeq: number
}

/** The peer's answer did not come; the next iteration asks again. */
export class PeerUnreachable extends Error {
  override readonly name = 'PeerUnreachable'
}

const TIMEOUT_MS = 3000

export async function askPeer<Op extends SyncRequest['op']>(
  context: BusContext,
  peer: Party,
  request: SyncRequest & { readonly op: Op },
): Promise<SyncReplies[Op]> {
  const link = { source: context.self, target: peer }
  const carrier = context.carrierAt(carrierOfAsk(link))
  if (!carrier.isConnected()) throw new PeerUnreachable(`the NATS towards ${peer} is unreachable`)
  const answer = await carrier.request(subjectOf('sync', link), encodeJson(request), TIMEOUT_MS)
  if (typeof answer === 'string') throw new PeerUnreachable(`${peer} does not answer: ${answer}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only answerPeer of this package serves the subject
  const reply = decodeJson(answer) as { readonly value: SyncReplies[Op] } | { readonly refused: string }
  if ('refused' in reply) throw new PeerUnreachable(`${peer} refused ${request.op}: ${reply.refused}`)
  return reply.value
}
