import type { Pdf } from '@sealpost/pdf'
import type { Tx } from '@sealpost/postgres'
import type { BroadcastFacts, DocumentContent, DocumentState } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { ServiceName } from '../../services/index.ts'
import type { CustomerDocument, DocumentId, StoredObject } from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly messages: ServiceMessages
  /** Null where no certificate is configured: then no file contract can be completed. */
  readonly sealer: Sealer | null
}

/** The asks and tells that this side sends; `bus/service.ts` implements it. */
export interface ServiceMessages {
  /** Ordered by the connection. `file`: the content, when it is not in the body. */
  tellCopy(
    tx: Tx,
    document: CustomerDocument,
    state: DocumentState,
    content: DocumentContent | null,
    file: StoredObject | null,
  ): Promise<void>
  tellDeleted(tx: Tx, document: CustomerDocument): Promise<void>
  tellBroadcast(tx: Tx, region: string, service: ServiceName, broadcast: BroadcastFacts): Promise<void>
  tellBroadcastDeleted(tx: Tx, region: string, service: ServiceName, id: DocumentId): Promise<void>
  tellBroadcastsReset(tx: Tx, region: string, service: ServiceName): Promise<void>
}

/** Appends the page of signatures to a PDF and signs the whole with the certificate of the platform. */
export type Sealer = Pick<Pdf, 'seal'>
