import { type ConnectionId, parseInstant, type UserId } from '@sealpost/kernel'
import { type ObjectKey, parseObjectKey, parseSha256 } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { collapseKey, customerEvents, type DocumentContent, type DocumentState } from '@sealpost/protocol'
import { type CardedConnection, lockKnown, lockTold } from '../../../connections/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Copy, CopyContent, DocumentId, ServiceAddress, StoredFile } from '../model.ts'
import { deleteCopy, insertCopy, lockCopy, updateCopy } from '../store/copies.ts'

export interface ToldCopy {
  readonly service: ServiceAddress
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly state: DocumentState
  readonly content: DocumentContent | null
  /** In this region's store; the content when the body does not have it. */
  readonly attachment: { readonly objectKey: string; readonly sha256: string; readonly bytes: number } | null
}

/** Stores a new state of a copy, and its content if it came along. Copies of ended connections are not wanted any more. */
export async function hearCopy(context: CustomerContext, tx: Tx, told: ToldCopy): Promise<void> {
  const file = readFile(told.attachment)
  // The lock keeps the end of the connection away, which deletes its copies.
  const known = await lockTold(tx, told)
  const id = documentId(told.state)
  const before = known === null ? null : await lockCopy(tx, { accountId: told.accountId, id })
  if (known === null || (before === null && told.content === null)) return discard(context, tx, file)
  const after = before === null ? newCopy(known, told, file) : changedCopy(before, told, file)
  if (after.content.file !== file) await discard(context, tx, file)
  if (before !== null && before.content.file !== null && before.content.file !== after.content.file)
    await discard(context, tx, before.content.file)
  if (before === null) await insertCopy(tx, after)
  else await updateCopy(tx, after)
  await appendEvent(context, tx, known, before, after)
}

function newCopy({ connection }: CardedConnection, told: ToldCopy, file: StoredFile | null): Copy {
  if (told.content === null) throw new Error('a new copy came without its content')
  return {
    accountId: connection.accountId,
    id: documentId(told.state),
    userType: connection.userType,
    connectionId: connection.id,
    companyId: connection.companyId,
    companyRegion: connection.companyRegion,
    serviceId: connection.serviceId,
    state: told.state,
    ...contentMembers(told.content, file),
  }
}

/** A reply may have brought the state before the tell brings the content: each has its own number. */
function changedCopy(before: Copy, { state, content }: ToldCopy, file: StoredFile | null): Copy {
  const isNewer = content !== null && content.content_rev > before.contentRev
  return {
    ...before,
    state: state.rev > before.state.rev ? state : before.state,
    ...(isNewer ? contentMembers(content, file) : {}),
  }
}

function contentMembers(content: DocumentContent, file: StoredFile | null) {
  return {
    content: contentOf(content.value, file),
    contentSha256: content.content_sha256,
    plainSha256: content.plain_sha256,
    sealedAt: content.sealed_at === null ? null : parseInstant(content.sealed_at),
    contentRev: content.content_rev,
  }
}

function contentOf(value: string | null, file: StoredFile | null): CopyContent {
  if (value !== null) return { value, file: null }
  if (file === null) throw new Error('a document came without its file')
  return { value: null, file }
}

/** Stores the state that the reply to an act brought; the tell of the same change brings its content. */
export async function applyState(
  context: CustomerContext,
  tx: Tx,
  { accountId, connectionId, id }: Pick<Copy, 'accountId' | 'connectionId' | 'id'>,
  state: DocumentState,
): Promise<Copy | null> {
  const known = await lockKnown(tx, { accountId, id: connectionId })
  const before = await lockCopy(tx, { accountId, id })
  if (known === null || before === null || before.state.rev >= state.rev) return before
  const after = { ...before, state }
  await updateCopy(tx, after)
  await appendEvent(context, tx, known, before, after)
  return after
}

export async function hearDeleted(
  context: CustomerContext,
  tx: Tx,
  told: Pick<ToldCopy, 'service' | 'accountId' | 'connectionId'>,
  id: DocumentId,
): Promise<void> {
  const known = await lockTold(tx, told)
  const before = known === null ? null : await lockCopy(tx, { accountId: told.accountId, id })
  if (known === null || before === null || before.connectionId !== told.connectionId) return
  for (const { file } of await deleteCopy(tx, before)) await discard(context, tx, file)
  await appendEvent(context, tx, known, before, null)
}

/** Companies have a feed; the devices of a person read again. Nothing is written when nothing changed. */
async function appendEvent(
  context: CustomerContext,
  tx: Tx,
  { connection, card }: CardedConnection,
  before: Copy | null,
  after: Copy | null,
): Promise<void> {
  const kind = eventKind(before, after)
  const document = after ?? before
  if (kind === null || document === null) return
  const { accountId } = connection
  if (connection.userType === 'person') {
    await context.hooks.hint(tx, { accountId, kind, id: document.id })
    return
  }
  await appendEvents(context, tx, [
    {
      owner: { kind: 'account', accountId },
      kind,
      connectionId: connection.id,
      payload: {
        company_share_code: card.facts.company.share_code,
        service_share_code: card.facts.code,
        document_id: document.id,
      },
      key: collapseKey(customerEvents[kind].collapse, { document_id: document.id }),
    },
  ])
}

function eventKind(before: Copy | null, after: Copy | null) {
  if (before === null) return 'document_created' as const
  if (after === null) return 'document_deleted' as const
  if (before.state.status !== after.state.status) return 'document_status_changed' as const
  const isSame = before.state.rev === after.state.rev && before.contentRev === after.contentRev
  return isSame ? null : ('document_updated' as const)
}

function readFile(attachment: ToldCopy['attachment']): StoredFile | null {
  if (attachment === null) return null
  const [objectKey, sha256] = [parseObjectKey(attachment.objectKey), parseSha256(attachment.sha256)]
  if (objectKey === null || sha256 === null) throw new Error('invalid attachment of a document')
  return { objectKey, sha256, bytes: attachment.bytes }
}

export async function discard(
  { clock }: Pick<CustomerContext, 'clock'>,
  tx: Tx,
  file: { readonly objectKey: ObjectKey } | null,
): Promise<void> {
  if (file !== null) await discardObjects(tx, [file.objectKey], clock.now())
}

function documentId({ id }: DocumentState): DocumentId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract of the message has checked that it is an id
  return id as DocumentId
}
