import type { ListAnswer } from '@sealpost/http'
import { type ConnectionId, parseUuid, Secret, type UserId } from '@sealpost/kernel'
import { copyIn, parseSha256 } from '@sealpost/objects'
import type { Read } from '@sealpost/postgres'
import { type CustomerDocument, type PageQueryText, refuse, type RunSignature } from '@sealpost/protocol'
import { type Batch, listBatches, type Page, type Slice } from '../../../../platform/page.ts'
import { findKnown } from '../../../connections/index.ts'
import { announceObject, keepObject } from '../../../vault/index.ts'
import type { CustomerContext } from '../context.ts'
import type { Broadcast, Copy, DocumentId, Readable, StoredFile } from '../model.ts'
import { findBroadcast, listBroadcasts, setBroadcastFile } from '../store/broadcasts.ts'
import { findCopy, findCopyOfRun, hasCopies, listCopies } from '../store/copies.ts'
import { broadcastToWire, copyToWire } from '../wire.ts'

/** Above the largest answer: a sealed document of the highest cap. */
const LARGEST_BYTES = 128 * 1024 * 1024
const ROWS_AT_ONCE = 25

/** Another account's connection and document answer like missing ones. */
export async function locateReadable(
  { database }: CustomerContext,
  accountId: UserId,
  connectionText: string,
  documentText: string,
): Promise<Readable> {
  const connectionId = parseUuid<ConnectionId>(connectionText)
  const id = parseUuid<DocumentId>(documentText)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  return database.read(async (read) => {
    const copy = id === null ? null : await findCopy(read, { accountId, id })
    // A signed copy outlives its connection.
    if (copy !== null && copy.connectionId === connectionId) return { form: 'copy', copy }
    const known = await findKnown(read, { accountId, id: connectionId })
    if (known === null) throw refuse('company_data.connection_not_found')
    const broadcast = id === null ? null : await findBroadcast(read, known.connection.serviceId, id)
    if (broadcast === null) throw refuse('documents.not_found')
    return { form: 'broadcast', broadcast, connectionId }
  })
}

/** Acts are for own copies: a broadcast has none. */
export async function locateCopy(
  context: CustomerContext,
  accountId: UserId,
  connectionText: string,
  documentText: string,
): Promise<Copy> {
  const found = await locateReadable(context, accountId, connectionText, documentText)
  if (found.form === 'broadcast') throw refuse('documents.not_found')
  return found.copy
}

export async function readReadable(context: CustomerContext, readable: Readable): Promise<CustomerDocument> {
  const runs = await context.database.read((read) => listRuns(context, read, [readable]))
  return showReadable(context, readable, runs)
}

export type Runs = ReadonlyMap<string, readonly RunSignature[]>

/** The signatures of all runs that these copies belong to. */
export async function listRuns(
  { hooks }: Pick<CustomerContext, 'hooks'>,
  read: Read,
  readables: readonly Readable[],
): Promise<Runs> {
  const copies = readables.flatMap((one) => (one.form === 'copy' ? [one.copy] : []))
  const runs = new Set(copies.flatMap(({ state }) => state.run_id ?? []))
  const [first] = copies
  return first === undefined || runs.size === 0 ? new Map() : hooks.listRunSignatures(read, first.accountId, [...runs])
}

async function showReadable(context: CustomerContext, readable: Readable, runs: Runs): Promise<CustomerDocument> {
  if (readable.form === 'copy') {
    const { copy } = readable
    const signatures = copy.state.run_id === null ? null : (runs.get(copy.state.run_id) ?? [])
    return copyToWire(copy, await readCopyValue(context, copy), signatures)
  }
  const { broadcast, connectionId } = readable
  return broadcastToWire(broadcast, connectionId, await readBroadcastValue(context, broadcast))
}

/** The wrapper string of a JSON document; null for a file. Slow for a long one: never inside a transaction. */
export async function readCopyValue(context: CustomerContext, { state, content }: Copy): Promise<string | null> {
  if (content.value !== null) return content.value
  return state.payload_kind === 'json' ? readAnswer(context, content.file) : null
}

async function readBroadcastValue(context: CustomerContext, broadcast: Broadcast): Promise<string | null> {
  const { state, value } = broadcast.facts
  if (state.payload_kind === 'file') return null
  return value ?? readAnswer(context, await requireBroadcastFile(context, broadcast))
}

/** The value inside the answer of a file route. */
async function readAnswer({ objects }: CustomerContext, { objectKey, sha256 }: StoredFile): Promise<string> {
  const found = await objects.get(objectKey, { sha256, maxBytes: LARGEST_BYTES })
  if (!found.ok) throw new Error(`the content of a document is ${found.refusal}`)
  const answer: unknown = JSON.parse(Buffer.from(found.value).toString('utf8'))
  if (typeof answer !== 'object' || answer === null || !('value' in answer) || typeof answer.value !== 'string')
    throw new Error('the content of a document has no value')
  return answer.value
}

/** The file that the file route answers, also that of long JSON; null for a document without one. */
export async function findFile(context: CustomerContext, readable: Readable): Promise<StoredFile | null> {
  if (readable.form === 'copy') return readable.copy.content.file
  const { broadcast } = readable
  return broadcast.facts.value === null ? requireBroadcastFile(context, broadcast) : null
}

/** The own copy of an output of a run, as its file route answers it; null until it has arrived. */
export async function findRunFile(
  read: Read,
  accountId: UserId,
  { runId, outputKey }: { readonly runId: string; readonly outputKey: string },
): Promise<StoredFile | null> {
  return (await findCopyOfRun(read, accountId, runId, outputKey))?.content.file ?? null
}

/** The file of a broadcast stays in the region of its company until the first customer here reads it. */
async function requireBroadcastFile(context: CustomerContext, broadcast: Broadcast): Promise<StoredFile> {
  if (broadcast.file !== null) return broadcast.file
  const offered = await context.messages.askForBroadcast(broadcast)
  const sha256 = offered === null ? null : parseSha256(offered.sha256)
  if (offered === null || sha256 === null) throw refuse('documents.not_found')
  const key = await announceObject(context)
  const expected = { key, sha256, maxBytes: offered.bytes, contentType: 'application/json' }
  const copied = await copyIn(context, new Secret(offered.url), expected)
  if (!copied.ok) throw refuse('region.unreachable')
  const file = { objectKey: key, sha256, bytes: copied.value.sizeBytes }
  // Until it is kept, the copy is garbage: a concurrent reader may have kept another one, and this one still serves.
  await context.database.transaction(async (tx) => {
    if (sha256 === broadcast.facts.answer_sha256 && (await setBroadcastFile(tx, broadcast, file)))
      await keepObject(tx, key)
  })
  return file
}

interface Listed {
  readonly id: DocumentId
  readonly document: CustomerDocument
}

const idOf = ({ id }: Listed): DocumentId => id
const toWire = ({ document }: Listed): CustomerDocument => document

/** Own copies of all services. */
export function listAllCopies(
  context: CustomerContext,
  accountId: UserId,
  query: PageQueryText,
): Promise<ListAnswer<Page<CustomerDocument>>> {
  return listBatches({ name: 'copies', idOf, toWire }, query, (slice: Slice<DocumentId>) =>
    load(context, slice, async (read, wanted) => {
      const copies = await listCopies(read, accountId, null, wanted)
      return copies.map((copy) => ({ form: 'copy', copy }))
    }),
  )
}

/** Own copies and broadcasts of one service. */
export async function listOfConnection(
  context: CustomerContext,
  accountId: UserId,
  connectionText: string,
  query: PageQueryText,
): Promise<ListAnswer<Page<CustomerDocument>>> {
  const connectionId = parseUuid<ConnectionId>(connectionText)
  if (connectionId === null) throw refuse('company_data.connection_not_found')
  const serviceId = await context.database.read(async (read) => {
    const known = await findKnown(read, { accountId, id: connectionId })
    if (known !== null) return known.connection.serviceId
    if (await hasCopies(read, accountId, connectionId)) return null
    throw refuse('company_data.connection_not_found')
  })
  return listBatches({ name: 'documents', idOf, toWire }, query, (slice: Slice<DocumentId>) =>
    load(context, slice, async (read, wanted) => {
      const all = { ...wanted, offset: 0, limit: wanted.offset + wanted.limit }
      const copies = await listCopies(read, accountId, connectionId, all)
      const broadcasts = serviceId === null ? [] : await listBroadcasts(read, serviceId, all)
      const found: readonly Readable[] = [
        ...copies.map((copy): Readable => ({ form: 'copy', copy })),
        ...broadcasts.map((broadcast): Readable => ({ form: 'broadcast', broadcast, connectionId })),
      ]
      const inOrder = found.toSorted((one, other) => (idOfReadable(one) < idOfReadable(other) ? -1 : 1))
      return inOrder.slice(wanted.offset, wanted.offset + wanted.limit)
    }),
  )
}

function idOfReadable(readable: Readable): DocumentId {
  return readable.form === 'copy' ? readable.copy.id : readable.broadcast.id
}

async function load(
  context: CustomerContext,
  slice: Slice<DocumentId>,
  find: (read: Read, wanted: Slice<DocumentId>) => Promise<readonly Readable[]>,
): Promise<Batch<Listed, DocumentId>> {
  const limit = Math.min(slice.limit, ROWS_AT_ONCE)
  const { found, runs } = await context.database.read(async (read) => {
    const readables = await find(read, { ...slice, limit: limit + 1 })
    return { found: readables, runs: await listRuns(context, read, readables) }
  })
  const rows: Listed[] = []
  for (const readable of found.slice(0, limit))
    rows.push({ id: idOfReadable(readable), document: await showReadable(context, readable, runs) })
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
