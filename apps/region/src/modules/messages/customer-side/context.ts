import type { Tx } from '@sealpost/postgres'
import type { MessageCopy } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { KnownConnection } from '../../connections/index.ts'
import type { Receipt } from '../model.ts'

export interface CustomerContext extends Platform {
  readonly messages: CustomerMessages
}

/** The tells that this side sends, ordered by the connection; `bus/customer.ts` implements it. */
export interface CustomerMessages {
  tellMessage(tx: Tx, connection: KnownConnection['connection'], message: MessageCopy): Promise<void>
  tellRead(tx: Tx, connection: KnownConnection['connection'], receipt: Receipt): Promise<void>
}
