import { createHash } from 'node:crypto'
import type { ListAnswer } from '@sealpost/http'
import { parseUuid, type ServiceId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type Document, type PageQueryText, refuse, type RunDocument } from '@sealpost/protocol'
import { type Batch, listBatches, type Page, type Slice } from '../../../../platform/page.ts'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentFilter, DocumentId, Signature, StoredDocument } from '../model.ts'
import { readCounter } from '../store/counters.ts'
import { findDocument, listDocumentRows } from '../store/documents.ts'
import { listSignatures } from '../store/signatures.ts'
import { documentToWire } from '../wire.ts'
import { ALL, personCounter, statusCounter } from './record-change.ts'
import { listDocumentsOfRuns, listRunDocuments } from './run-copies.ts'

/** Runs before the body is validated: the answer to another service's id does not depend on the body. */
export async function locateDocument(
  { database }: Pick<ServiceSideContext, 'database'>,
  serviceId: ServiceId,
  text: string,
): Promise<StoredDocument> {
  const id = parseUuid<DocumentId>(text)
  const found = id === null ? null : await database.read((read) => findDocument(read, { serviceId, id }))
  if (found === null) throw refuse('documents.not_found')
  return found
}

export async function readDocument(
  { database }: ServiceSideContext,
  document: StoredDocument,
  path?: string,
): Promise<Document> {
  const { serviceId, id } = document
  return database.read(async (read) =>
    documentAnswer(read, document, await listSignatures(read, serviceId, [id]), path),
  )
}

export async function documentAnswer(
  read: Read,
  document: StoredDocument,
  signatures: readonly Signature[],
  path?: string,
): Promise<Document> {
  const { serviceId, runId } = document
  const ofRun = runId === null ? null : await listRunDocuments(read, { serviceId, runId })
  return documentToWire(document, signatures, ofRun, path)
}

interface Listed {
  readonly document: StoredDocument
  readonly signatures: readonly Signature[]
  /** All copies of the run that the document belongs to. */
  readonly ofRun: readonly RunDocument[] | null
}

/** JSON documents have up to 350 KB each: the rows of a page do not fit into memory together. */
const ROWS_AT_ONCE = 25

export function listDocuments(
  { database }: ServiceSideContext,
  serviceId: ServiceId,
  filter: DocumentFilter,
  query: PageQueryText,
  path?: string,
): Promise<ListAnswer<Page<Document>>> {
  const list = {
    name: listName(filter),
    idOf: ({ document }: Listed) => document.id,
    toWire: ({ document, signatures, ofRun }: Listed) => documentToWire(document, signatures, ofRun, path),
  }
  const counter = counterOf(filter)
  return listBatches(
    list,
    query,
    (slice: Slice<DocumentId>) => database.read((read) => loadBatch(read, serviceId, filter, slice)),
    counter === null ? undefined : () => database.read((read) => readCounter(read, serviceId, counter)),
  )
}

async function loadBatch(
  read: Read,
  serviceId: ServiceId,
  filter: DocumentFilter,
  slice: Slice<DocumentId>,
): Promise<Batch<Listed, DocumentId>> {
  const limit = Math.min(slice.limit, ROWS_AT_ONCE)
  const found = await listDocumentRows(read, serviceId, filter, { ...slice, limit: limit + 1 })
  const documents = found.slice(0, limit)
  const ids = documents.map(({ id }) => id)
  const signatures = Map.groupBy(await listSignatures(read, serviceId, ids), ({ documentId }) => documentId)
  const runs = await listDocumentsOfRuns(
    read,
    serviceId,
    documents.flatMap(({ runId }) => runId ?? []),
  )
  return {
    rows: documents.map((document) => ({
      document,
      signatures: signatures.get(document.id) ?? [],
      ofRun: document.runId === null ? null : (runs.get(document.runId) ?? null),
    })),
    next: found.length > documents.length ? (ids.at(-1) ?? null) : null,
  }
}

/** Part of each cursor: a cursor of other filters is refused. */
function listName(filter: DocumentFilter): string {
  const digest = createHash('sha256').update(JSON.stringify(filter)).digest('hex')
  return `documents.${digest.slice(0, 12)}`
}

/** The counter of lists with one of the counted filters; null for a combination that none counts. */
function counterOf({ customerId, connectionId, status, kind }: DocumentFilter): string | null {
  if (connectionId !== null || kind !== null) return null
  if (customerId !== null) return status === null ? personCounter(customerId) : null
  return status === null ? ALL : statusCounter(status)
}
