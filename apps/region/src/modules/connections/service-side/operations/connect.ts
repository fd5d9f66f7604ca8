import { formatInstant, type Instant, instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { SlotAnswer } from '@sealpost/protocol'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { lockServiceForShare, listRequestRows, type Service } from '../../../services/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ConnectRequest, ConnectRequestId, StoredConnection, StoredFile } from '../model.ts'
import { type AnswersRefusal, validateAnswers } from '../rules/answers.ts'
import { connectionEvent, requestEvent } from '../rules/events.ts'
import { isAsked, laneOf } from '../rules/rows.ts'
import { contentOf } from '../rules/slot-content.ts'
import { findConnectionOf, insertConnection } from '../store/connections.ts'
import { addCustomers } from '../store/regions.ts'
import { answerRequest, findRequestTo } from '../store/requests.ts'
import { putSlot } from '../store/slots.ts'
import { deleteTakenFiles, lockTakenFiles } from '../store/taken-files.ts'
import { readFacts } from './read-facts.ts'
import { TAKEN_FOR_MS } from './take-file.ts'

export interface ConnectInput {
  readonly customer: Omit<StoredConnection, 'connectedAt' | 'openContracts'>
  readonly answers: readonly SlotAnswer[]
  /** Request row id -> the object that `takeFile` made for it. */
  readonly files: Readonly<Record<string, string>>
  readonly requestId: ConnectRequestId | null
}

export type ConnectOutcome =
  | { readonly outcome: 'connected'; readonly connection: StoredConnection; readonly service: Service }
  | { readonly outcome: 'exists'; readonly connection: StoredConnection; readonly service: Service }
  | { readonly outcome: 'no_service' | 'audience' | 'no_request' }
  | AnswersRefusal

/** Opens a connection with all answers. Idempotent: a repeated ask finds the connection of the first. */
export async function connect(context: ServiceSideContext, tx: Tx, input: ConnectInput): Promise<ConnectOutcome> {
  const { companyId, serviceId, customerId, customerType } = input.customer
  const service = await lockServiceForShare(tx, companyId, serviceId)
  if (service === null) return { outcome: 'no_service' }
  const present = await findConnectionOf(tx, serviceId, customerId)
  if (present !== null) return answerPresent(present, input, service)
  if (!isAsked(service, customerType)) return { outcome: 'audience' }
  const now = context.clock.now()
  const request = await findOpenRequest(tx, input, now)
  if (request === null && input.requestId !== null) return { outcome: 'no_request' }
  const refusal = await validateInput(tx, input, now)
  if (refusal !== null) return refusal
  const files = await findFiles(tx, input, now)
  if (files === null) return { outcome: 'invalid', details: [{ path: '/files', message: 'take the files first' }] }
  const connection = { ...input.customer, connectedAt: now, openContracts: 0 }
  if (!(await insertConnection(tx, connection))) return answerWinner(tx, input, service)
  await fillSlots(context, tx, input, files)
  const isRequested = input.requestId !== null
  if (request !== null) await answerRequest(tx, request, isRequested ? 'accepted' : 'closed', now)
  await announceConnection(context, tx, service, connection, { request, isRequested })
  return { outcome: 'connected', connection, service }
}

function answerPresent(connection: StoredConnection, { customer }: ConnectInput, service: Service): ConnectOutcome {
  const outcome = connection.id === customer.id ? 'connected' : 'exists'
  return { outcome, connection, service }
}

/** A concurrent ask connected the same customer and service. */
async function answerWinner(tx: Tx, input: ConnectInput, service: Service): Promise<ConnectOutcome> {
  const { serviceId, customerId, id } = input.customer
  const winner = await findConnectionOf(tx, serviceId, customerId)
  if (winner === null) throw new Error(`connection ${id} belongs to another customer`)
  return answerPresent(winner, input, service)
}

/** The open request to this person; if the input names a request, it must be that one. */
async function findOpenRequest(tx: Tx, { customer, requestId }: ConnectInput, now: Instant) {
  const request = await findRequestTo(tx, customer.serviceId, customer.customerId)
  if (request === null || request.state !== 'pending' || request.expiresAt <= now) return null
  return requestId === null || request.id === requestId ? request : null
}

async function validateInput(
  tx: Tx,
  { customer, answers }: ConnectInput,
  now: Instant,
): Promise<AnswersRefusal | null> {
  const published = await listRequestRows(tx, customer.companyId, customer.serviceId)
  const registry = await loadRegistry(tx)
  const validated = validateAnswers(answers, {
    rows: published.filter((row) => isAsked(row, customer.customerType)),
    isBinary: (row) => laneOf(registry, row) !== 'inline',
    now,
  })
  return validated.ok ? null : validated.refusal
}

/** Files by request row id; null when one is not the file that was taken for this service. */
async function findFiles(
  tx: Tx,
  { customer, answers, files }: ConnectInput,
  now: Instant,
): Promise<ReadonlyMap<string, StoredFile> | null> {
  const wanted = answers.flatMap(({ request_field_id: field, file }) => (file === null ? [] : [{ field, file }]))
  const keys = wanted.map(({ field }) => files[field] ?? '')
  if (new Set(keys).size < keys.length) return null
  const taken = await lockTakenFiles(tx, customer.serviceId, keys, instant(now - TAKEN_FOR_MS))
  const stored = new Map<string, StoredFile>()
  for (const { field, file } of wanted) {
    const found = taken.find(({ objectKey }) => objectKey === files[field])
    if (found === undefined || found.sha256 !== file.sha256 || found.bytes !== file.bytes) return null
    const { objectKey, sha256, bytes } = found
    stored.set(field, { objectKey, sha256, bytes, contentType: file.content_type, form: file.form })
  }
  return stored
}

/** The slots own the taken objects from here on. */
async function fillSlots(
  context: ServiceSideContext,
  tx: Tx,
  { customer, answers }: ConnectInput,
  files: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const keys = [...files.values()].map(({ objectKey }) => objectKey)
  await deleteTakenFiles(tx, customer.serviceId, keys)
  for (const key of keys) await keepObject(tx, key)
  for (const answer of answers) {
    const content = contentOf(answer, files.get(answer.request_field_id) ?? null, {
      now: context.clock.now(),
      shareOnceDays: context.settings.SHARE_ONCE_DAYS,
    })
    await putSlot(tx, customer.serviceId, customer.id, content)
  }
}

interface Answered {
  readonly request: ConnectRequest | null
  /** The customer connected by accepting the request, and not independently of it. */
  readonly isRequested: boolean
}

async function announceConnection(
  context: ServiceSideContext,
  tx: Tx,
  service: Service,
  connection: StoredConnection,
  { request, isRequested }: Answered,
): Promise<void> {
  const { serviceId, customerRegion: region } = connection
  const events: NewEvent[] = [connectionEvent('connection_created', connection)]
  if (request !== null && isRequested)
    events.unshift(requestEvent('connection_request_accepted', request, connection.id))
  if (request !== null && !isRequested) await context.messages.tellRequestClosed(tx, request)
  await context.messages.tellOpened(tx, region, connection, connection.connectedAt)
  const isFirst = await addCustomers(tx, serviceId, region, { by: 1, rev: service.rev })
  // The reply carries the facts too, but it may be lost, and no later tell would reach a new region.
  if (isFirst) {
    await context.messages.tellFacts(tx, region, await readFacts(tx, service))
    await context.hooks.onFirstCustomer(tx, connection)
  }
  await appendEvents(context, tx, events)
}

/** The reply to the ask, with the facts of the service. */
export async function outcomeToWire(tx: Tx, outcome: ConnectOutcome) {
  if (outcome.outcome !== 'connected' && outcome.outcome !== 'exists') return outcome
  const { connection, service } = outcome
  const opened = { connected_at: formatInstant(connection.connectedAt), facts: await readFacts(tx, service) }
  if (outcome.outcome === 'connected') return { outcome: 'connected' as const, ...opened }
  return { outcome: 'exists' as const, connection_id: connection.id, ...opened }
}
