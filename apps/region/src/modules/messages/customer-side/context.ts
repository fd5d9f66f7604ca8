import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { HintKind, MessageCopy } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { KnownConnection } from '../../connections/index.ts'
import type { Receipt } from '../model.ts'

export interface CustomerContext extends Platform {
  readonly messages: CustomerMessages
  readonly hooks: CustomerHooks
}

/** Calls to the modules above, in the transaction of the change. */
export interface CustomerHooks {
  /** Last in the transaction; for persons only. */
  hint(tx: Tx, change: { readonly accountId: UserId; readonly kind: HintKind; readonly id: string }): Promise<void>
}

/** The tells that this side sends, ordered by the connection; `bus/customer.ts` implements it. */
export interface CustomerMessages {
  tellMessage(tx: Tx, connection: KnownConnection['connection'], message: MessageCopy): Promise<void>
  tellRead(tx: Tx, connection: KnownConnection['connection'], receipt: Receipt): Promise<void>
}
