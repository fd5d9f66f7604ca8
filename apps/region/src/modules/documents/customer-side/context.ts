import type { Secret, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { ActRefusal, DocumentAct, DocumentState, HintKind, RunSignature } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { LoginContext } from '../../login/index.ts'
import type { Broadcast, Copy, OfferedFile } from './model.ts'

export interface CustomerContext extends Platform {
  readonly login: LoginContext
  readonly messages: CustomerMessages
  readonly hooks: CustomerHooks
}

/** Calls to the modules above, in the transaction of the change. */
export interface CustomerHooks {
  /** Last in the transaction; for persons only. */
  hint(tx: Tx, change: { readonly accountId: UserId; readonly kind: HintKind; readonly id: string }): Promise<void>
  /** The copies of these runs, as this region knows the runs of the account. */
  listRunSignatures(
    read: Read,
    accountId: UserId,
    runs: readonly string[],
  ): Promise<ReadonlyMap<string, readonly RunSignature[]>>
}

/** The asks that this side sends; `bus/customer.ts` implements it. An ask throws while the other region is away. */
export interface CustomerMessages {
  /** `mark`: equal for repetitions of a call, which find the outcome of the first. */
  askToAct(copy: Copy, act: DocumentAct, sealId: string | null, mark: string | null): Promise<ActReply>
  askToPrepareSeal(copy: Copy, act: DocumentAct, pdf: OfferedPdf): Promise<SealReply>
  /** Null when there is no such broadcast. */
  askForBroadcast(broadcast: Broadcast): Promise<OfferedFile | null>
}

/** The PDF of a contract under a one-time key. */
export interface OfferedPdf extends OfferedFile {
  readonly otk: Secret<string>
}

/** `sealId`: null for an act that completes no document. */
export type SealReply = { readonly sealId: string | null } | { readonly refusal: ActRefusal }

export type ActReply =
  | {
      readonly outcome: 'done'
      readonly state: DocumentState
      readonly contentSha256: string
      readonly plainSha256: string | null
      readonly sealedAt: string | null
      readonly runSignatures: readonly RunSignature[] | null
    }
  | { readonly outcome: 'refused'; readonly refusal: ActRefusal }
