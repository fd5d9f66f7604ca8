import type { ConnectionId, UserId } from '@sealpost/kernel'
import type { Recipient, StoredDocument } from '../model.ts'

/** A row of `document` as the statements of `documents.ts` answer it. */
export type DocumentRow = Omit<StoredDocument, 'customer'> & {
  readonly connectionId: ConnectionId | null
  readonly customerId: UserId | null
  readonly customerRegion: string | null
  readonly shareCode: string | null
}

export function readRow({ connectionId, customerId, customerRegion, shareCode, ...row }: DocumentRow): StoredDocument {
  const customer: Recipient | null =
    connectionId === null || customerId === null || customerRegion === null
      ? null
      : { connectionId, customerId, customerRegion, shareCode }
  return { ...row, customer }
}
