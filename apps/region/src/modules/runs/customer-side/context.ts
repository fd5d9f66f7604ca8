import type { Secret, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type {
  GenerateRefusal,
  HintKind,
  PassReply,
  RunCopy,
  RunState,
  SaidAnswer,
  TurnRefusal,
} from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { ConnectionsContext } from '../../connections/index.ts'
import type { CustomerRun } from './model.ts'

export interface CustomerContext extends Platform {
  /** The customer side of connections, whose lanes carry the values of linked fields. */
  readonly connections: ConnectionsContext['customer']
  readonly messages: CustomerMessages
  readonly hooks: CustomerHooks
}

/** Calls to the modules above, in the transaction of the change. */
export interface CustomerHooks {
  /** Last in the transaction; for persons only. */
  hint(tx: Tx, change: { readonly accountId: UserId; readonly kind: HintKind; readonly id: string }): Promise<void>
}

/** An object for a few minutes. */
export interface Offer {
  readonly url: string
  readonly sha256: string
  readonly bytes: number
}

export interface OutgoingTurn {
  readonly answers: SaidAnswer[]
  readonly next_node: unknown
  readonly leaf: unknown
}

export interface OfferedCopy {
  readonly slug: string
  readonly forUserId: string
  readonly length: number
  /** Null: only whether it would be taken. */
  readonly offer: Offer | null
}

/** What the generating customer hands over; the sealed texts rest in this region. */
export interface OutgoingHandOver {
  readonly otk: Secret<string>
  readonly values: Offer | null
  readonly inputs: readonly { readonly sourceKey: string; readonly offer: Offer }[] | null
  readonly fileSlugs: readonly string[]
}

export type GenerateReply =
  | { readonly outcome: 'done'; readonly state: RunState }
  | { readonly outcome: 'refused'; readonly refusal: GenerateRefusal; readonly sentence: string | null }

export type TurnReply =
  | { readonly outcome: 'done'; readonly state: RunState; readonly answers: readonly RunCopy[] }
  | { readonly outcome: 'refused'; readonly refusal: TurnRefusal }

/** The asks that this side sends; `bus/customer.ts` implements it. An ask throws while the other region is away. */
export interface CustomerMessages {
  /** `mark`: equal for repetitions of a call, which find the outcome of the first. */
  askToAnswer(run: CustomerRun, turn: OutgoingTurn, mark: string | null): Promise<TurnReply>
  askToCancel(run: CustomerRun, reason: string | null, mark: string | null): Promise<TurnReply>
  askToTakeFile(
    run: CustomerRun,
    copy: OfferedCopy,
  ): Promise<{ readonly file: string | null; readonly refusal: TurnRefusal | null }>
  /** Null when an input may be uploaded now. */
  askForInput(run: CustomerRun): Promise<GenerateRefusal | null>
  askToGenerate(run: CustomerRun, handOver: OutgoingHandOver): Promise<GenerateReply>
  askForPass(run: CustomerRun): Promise<PassReply>
  /** Null when the file is not the account's. */
  askForFile(run: CustomerRun, file: string): Promise<Offer | null>
}
