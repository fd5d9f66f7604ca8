import type { Tx } from '@sealpost/postgres'
import type { MessageCopy } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { StoredConnection } from '../../connections/index.ts'
import type { ServiceName } from '../../services/index.ts'
import type { Receipt } from '../model.ts'
import type { StoredBroadcast } from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly messages: ServiceMessages
}

/** The tells that this side sends; `bus/service.ts` implements it. Those about a connection are ordered by it. */
export interface ServiceMessages {
  tellMessage(tx: Tx, connection: StoredConnection, message: MessageCopy): Promise<void>
  tellRead(tx: Tx, connection: StoredConnection, receipt: Receipt): Promise<void>
  tellBroadcast(tx: Tx, region: string, service: ServiceName, broadcast: StoredBroadcast): Promise<void>
}
