import { type Answer, answer } from '@sealpost/http'
import { sha256Of } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import { type ApiError, type Document, type DocumentTarget, refuse } from '@sealpost/protocol'
import { type ConnectionSelector, lockRecipient, type StoredConnection } from '../../../connections/index.ts'
import { lockService, type ServiceName } from '../../../services/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { CustomerDocument, Recipient, StoredDocument, StoredObject } from '../model.ts'
import { firstStatus } from '../rules/contracts.ts'
import { documentEvent } from '../rules/events.ts'
import { type DocumentRefusal, type GivenDocument, type NewDocument, validateNew } from '../rules/new-document.ts'
import { readTarget } from '../rules/target.ts'
import { documentToWire, warningsAbout } from '../wire.ts'
import { recordChange } from './record-change.ts'
import { INLINE_MAX_BYTES, storeAnswer } from './store-answer.ts'

export interface DocumentInput extends GivenDocument {
  readonly target?: DocumentTarget | null
}

export async function createDocument(
  context: ServiceSideContext,
  service: ServiceName,
  { target: given = null, ...body }: DocumentInput,
): Promise<Answer<Document>> {
  const target = readTarget(given)
  if (!target.ok) throw refuse('request.invalid', { details: [target.refusal] })
  const validated = validateNew(body, target.value !== null)
  if (!validated.ok) throw refusalOf(validated.refusal)
  const content = await storeLarge(context, validated.value, target.value !== null)
  return context.database.transaction(async (tx) => {
    const document = await insert(context, tx, { service, target: target.value, given: validated.value, content })
    const created = answer(documentToWire(document, [], null), { warnings: warningsAbout(document) })
    await tx.storeAnswer(created)
    return created
  })
}

/** JSON that is too long for a message; null for every other document. */
async function storeLarge(
  context: ServiceSideContext,
  { value }: NewDocument,
  isSealed: boolean,
): Promise<StoredObject | null> {
  if (value === null || Buffer.byteLength(value) <= INLINE_MAX_BYTES) return null
  return storeAnswer(context, isSealed, value)
}

interface Insertion {
  readonly service: ServiceName
  /** Null for a broadcast. */
  readonly target: ConnectionSelector | null
  readonly given: NewDocument
  readonly content: StoredObject | null
}

async function insert(context: ServiceSideContext, tx: Tx, insertion: Insertion): Promise<StoredDocument> {
  const { service, target, content } = insertion
  if (content !== null) await keepObject(tx, content.objectKey)
  if (target === null) {
    // FOR UPDATE: a customer who is connecting from a new region is waited for, or waits and is told of the broadcast.
    if ((await lockService(tx, service.companyId, service.serviceId)) === null) throw refuse('services.not_found')
    const after: StoredDocument = { ...newRow(context, insertion, null), answerFile: content }
    await recordChange(context, tx, { before: null, after, connection: null, signatures: [], event: null })
    return after
  }
  const connection = await lockRecipient(tx, service.serviceId, target)
  if (connection === null) throw refuse('company_data.connection_not_found')
  const customer = recipientOf(connection)
  const after: CustomerDocument = { ...newRow(context, insertion, customer), customer }
  const event = after.isPending ? null : documentEvent('document_created', after)
  await recordChange(context, tx, { before: null, after, connection, signatures: [], file: content, event })
  return after
}

function recipientOf({ id, customerId, customerRegion, shareCode }: StoredConnection): Recipient {
  return { connectionId: id, customerId, customerRegion, shareCode }
}

function newRow(
  { ids, clock }: ServiceSideContext,
  { service, given }: Insertion,
  customer: Recipient | null,
): StoredDocument {
  const now = clock.now()
  return {
    ...service,
    ...given,
    id: ids.uuid(),
    recipient: customer === null ? 'broadcast' : 'customer',
    customer,
    status: firstStatus(given),
    cancelEffectiveDate: null,
    cancelSetBy: null,
    customerCancelDate: null,
    isPending: given.payloadKind === 'file',
    contentSha256: customer === null || given.value === null ? null : sha256Of(Buffer.from(given.value)),
    sealedAt: null,
    rawFile: null,
    answerFile: null,
    runId: null,
    outputKey: null,
    partyKey: null,
    position: null,
    rev: 1,
    contentRev: given.payloadKind === 'file' ? 0 : 1,
    createdAt: now,
    updatedAt: now,
  }
}

export function refusalOf(refusal: DocumentRefusal): ApiError {
  if (refusal.key !== 'request.invalid') return refuse(refusal.key)
  return refuse('request.invalid', { details: [refusal.problem] })
}
