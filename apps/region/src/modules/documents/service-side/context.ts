import type { Instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { BroadcastFacts, DocumentContent, DocumentState } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { ServiceName } from '../../services/index.ts'
import type { CustomerDocument, DocumentId, Signature, StoredObject } from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly messages: ServiceMessages
  /** Null while no sealer is wired: then no file contract can be completed. */
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
export interface Sealer {
  /** Throws `NotSealableError` for bytes that are no PDF; any other error means that the seal could not be made. */
  seal(pdf: Uint8Array, sealed: SealFacts): Promise<Uint8Array>
}

export class NotSealableError extends Error {}

/** The facts on the page of signatures. */
export interface SealFacts {
  readonly documentId: DocumentId
  readonly name: string
  /** The SHA-256 of the bytes that were signed. */
  readonly plainSha256: string
  readonly sealedAt: Instant
  readonly acts: readonly Signature[]
}
