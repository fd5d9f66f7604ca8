import { formatInstant, type Instant, instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { SlotAnswer } from '@sealpost/protocol'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import { loadRegistry } from '../../../registry/index.ts'
import { holdService, listRequestRows, type Service } from '../../../services/index.ts'
import { keepObject } from '../../../vault/index.ts'
import type { HeldConnection, HeldFile } from '../connection.ts'
import { connectionEvent, requestEvent } from '../events.ts'
import { laneOf, readFacts } from '../facts.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { type AnswersRefusal, judgeAnswers } from '../rules/answers.ts'
import { isAsked } from '../rules/audience.ts'
import { contentOf } from '../slot-content.ts'
import { findConnectionOf, insertConnection } from '../store/connections.ts'
import { addCustomers } from '../store/regions.ts'
import { answerRequest, type ConnectRequest, type ConnectRequestId, findRequestTo } from '../store/requests.ts'
import { putSlot } from '../store/slots.ts'
import { deleteTakenFiles, lockTakenFiles } from '../store/taken-files.ts'
import { TAKEN_FOR_MS } from './take-file.ts'

/** A customer's wish to connect, as their region asks for it. */
export interface ConnectWish {
  readonly customer: Omit<HeldConnection, 'connectedAt' | 'openContracts'>
  readonly answers: readonly SlotAnswer[]
  /** Objects that were taken ahead, by request row. */
  readonly files: Readonly<Record<string, string>>
  readonly requestId: ConnectRequestId | null
}

export type ConnectOutcome =
  | { readonly outcome: 'connected'; readonly connection: HeldConnection; readonly service: Service }
  | { readonly outcome: 'exists'; readonly connection: HeldConnection; readonly service: Service }
  | { readonly outcome: 'no_service' | 'audience' | 'no_request' }
  | AnswersRefusal

/** Opens a connection with everything that was answered. Asked twice, it is one connection. */
export async function connect(needs: ServiceSideNeeds, tx: Tx, wish: ConnectWish): Promise<ConnectOutcome> {
  const { companyId, serviceId, customerId, customerType } = wish.customer
  const service = await holdService(tx, companyId, serviceId)
  if (service === null) return { outcome: 'no_service' }
  const present = await findConnectionOf(tx, serviceId, customerId)
  if (present !== null) return answerPresent(present, wish, service)
  if (!isAsked(service, customerType)) return { outcome: 'audience' }
  const now = needs.clock.now()
  const request = await findOpenRequest(tx, wish, now)
  if (request === null && wish.requestId !== null) return { outcome: 'no_request' }
  const refusal = await judge(tx, wish, now)
  if (refusal !== null) return refusal
  const files = await findFiles(tx, wish, now)
  if (files === null) return { outcome: 'invalid', details: [{ path: '/files', message: 'take the files first' }] }
  const connection = { ...wish.customer, connectedAt: now, openContracts: 0 }
  if (!(await insertConnection(tx, connection))) return answerWinner(tx, wish, service)
  await fillSlots(needs, tx, wish, files)
  const isRequested = wish.requestId !== null
  if (request !== null) await answerRequest(tx, request, isRequested ? 'accepted' : 'closed', now)
  await announce(needs, tx, service, connection, { request, isRequested })
  return { outcome: 'connected', connection, service }
}

function answerPresent(connection: HeldConnection, { customer }: ConnectWish, service: Service): ConnectOutcome {
  const outcome = connection.id === customer.id ? 'connected' : 'exists'
  return { outcome, connection, service }
}

/** Somebody connected the same pair at the same time. */
async function answerWinner(tx: Tx, wish: ConnectWish, service: Service): Promise<ConnectOutcome> {
  const { serviceId, customerId, id } = wish.customer
  const winner = await findConnectionOf(tx, serviceId, customerId)
  if (winner === null) throw new Error(`connection ${id} belongs to another customer`)
  return answerPresent(winner, wish, service)
}

/** The request to this person that waits for an answer; if the wish names one, it must be that. */
async function findOpenRequest(tx: Tx, { customer, requestId }: ConnectWish, now: Instant) {
  const request = await findRequestTo(tx, customer.serviceId, customer.customerId)
  if (request === null || request.state !== 'pending' || request.expiresAt <= now) return null
  return requestId === null || request.id === requestId ? request : null
}

async function judge(tx: Tx, { customer, answers }: ConnectWish, now: Instant): Promise<AnswersRefusal | null> {
  const published = await listRequestRows(tx, customer.companyId, customer.serviceId)
  const registry = await loadRegistry(tx)
  const judged = judgeAnswers(answers, {
    rows: published.filter((row) => isAsked(row, customer.customerType)),
    isBinary: (row) => laneOf(registry, row) !== 'inline',
    now,
  })
  return judged.ok ? null : judged.refusal
}

/** By request row; null when a file is not the one that was taken for this service. */
async function findFiles(
  tx: Tx,
  { customer, answers, files }: ConnectWish,
  now: Instant,
): Promise<ReadonlyMap<string, HeldFile> | null> {
  const wanted = answers.flatMap(({ request_field_id: field, file }) => (file === null ? [] : [{ field, file }]))
  const keys = wanted.map(({ field }) => files[field] ?? '')
  if (new Set(keys).size < keys.length) return null
  const taken = await lockTakenFiles(tx, customer.serviceId, keys, instant(now - TAKEN_FOR_MS))
  const held = new Map<string, HeldFile>()
  for (const { field, file } of wanted) {
    const found = taken.find(({ objectKey }) => objectKey === files[field])
    if (found === undefined || found.sha256 !== file.sha256 || found.bytes !== file.bytes) return null
    const { objectKey, sha256, bytes } = found
    held.set(field, { objectKey, sha256, bytes, contentType: file.content_type, form: file.form })
  }
  return held
}

/** From here on the slots hold the objects that were taken. */
async function fillSlots(
  needs: ServiceSideNeeds,
  tx: Tx,
  { customer, answers }: ConnectWish,
  files: ReadonlyMap<string, HeldFile>,
): Promise<void> {
  const keys = [...files.values()].map(({ objectKey }) => objectKey)
  await deleteTakenFiles(tx, customer.serviceId, keys)
  for (const key of keys) await keepObject(tx, key)
  for (const answer of answers) {
    const content = contentOf(answer, files.get(answer.request_field_id) ?? null, needs)
    await putSlot(tx, customer.serviceId, customer.id, content)
  }
}

interface Answered {
  readonly request: ConnectRequest | null
  /** The connection is the answer to that request, and not made beside it. */
  readonly isRequested: boolean
}

async function announce(
  needs: ServiceSideNeeds,
  tx: Tx,
  service: Service,
  connection: HeldConnection,
  { request, isRequested }: Answered,
): Promise<void> {
  const { serviceId, customerRegion: region } = connection
  const events: NewEvent[] = [connectionEvent('connection_created', connection)]
  if (request !== null && isRequested)
    events.unshift(requestEvent('connection_request_accepted', request, connection.id))
  if (request !== null && !isRequested) await needs.wire.tellRequestClosed(tx, request)
  await needs.wire.tellOpened(tx, region, connection, connection.connectedAt)
  const isFirst = await addCustomers(tx, serviceId, region, { by: 1, rev: service.rev })
  // The reply brings the facts; but it may be lost, and nothing else would tell a new region.
  if (isFirst) await needs.wire.tellFacts(tx, region, await readFacts(tx, service))
  await appendEvents(tx, needs, events)
}

/** For the reply. */
export async function showOutcome(tx: Tx, outcome: ConnectOutcome) {
  if (outcome.outcome !== 'connected' && outcome.outcome !== 'exists') return outcome
  const { connection, service } = outcome
  const opened = { connected_at: formatInstant(connection.connectedAt), facts: await readFacts(tx, service) }
  if (outcome.outcome === 'connected') return { outcome: 'connected' as const, ...opened }
  return { outcome: 'exists' as const, connection_id: connection.id, ...opened }
}
