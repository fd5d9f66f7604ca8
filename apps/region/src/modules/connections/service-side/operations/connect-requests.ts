import { answer } from '@sealpost/http'
import { formatInstant, type Instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, type FoundAccount } from '../../../account/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { lockService, type Service, type ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { ConnectRequestId, NewRequest } from '../model.ts'
import { requestEvent } from '../rules/events.ts'
import { decideRequest, isPlainLine } from '../rules/requests.ts'
import { findConnectionOf } from '../store/connections.ts'
import { answerRequest, deleteRequestsOf, findRequestTo, putRequest } from '../store/requests.ts'

export interface Invitation {
  readonly shareCode: string
  readonly message: string | null
}

export interface SentRequest {
  readonly id: ConnectRequestId
  /** False when a request was open already. */
  readonly isNew: boolean
}

export function requestToWire({ id, isNew }: SentRequest) {
  return answer({ request_id: id, status: 'pending' as const }, { status: isNew ? 201 : 200 })
}

/** Asks a person to connect. */
export async function requestConnection(
  context: ServiceSideContext,
  name: ServiceName,
  { shareCode, message }: Invitation,
): Promise<SentRequest> {
  if (message !== null && !isPlainLine(message)) throw invalidMessage()
  const code = shareCode.trim().toUpperCase()
  const person = await context.directory.findByShareCode(code)
  if (person === null) throw refuse('company_data.share_code_not_found')
  if (person.userType === 'company') throw refuse('company_connections.persons_only', undefined, { status: 400 })
  return context.database.transaction(async (tx) => {
    const sent = await findOrSend(context, tx, name, { person, code, message })
    await tx.storeAnswer(requestToWire(sent))
    return sent
  })
}

interface Asking {
  readonly person: FoundAccount
  readonly code: string
  readonly message: string | null
}

async function findOrSend(
  context: ServiceSideContext,
  tx: Tx,
  name: ServiceName,
  asking: Asking,
): Promise<SentRequest> {
  const { companyId, serviceId } = name
  const { userId: customerId, region: customerRegion } = asking.person
  // FOR UPDATE: a concurrent connect or deletion of the service either sees the request or is seen here.
  const service = await lockService(tx, companyId, serviceId)
  if (service === null) throw refuse('auth.token_invalid')
  if ((await findConnectionOf(tx, serviceId, customerId)) !== null) throw refuse('company_data.already_connected')
  const now = context.clock.now()
  const last = await findRequestTo(tx, serviceId, customerId)
  const verdict = decideRequest(last, now)
  if (verdict.kind === 'open' && last !== null) return { id: last.id, isNew: false }
  if (verdict.kind === 'paused') throw paused(verdict.retryAt)
  const expiresAt = verdict.kind === 'fresh' ? verdict.expiresAt : now
  const id = context.ids.uuid<ConnectRequestId>()
  const request = {
    companyId,
    serviceId,
    id,
    customerId,
    customerRegion,
    shareCode: asking.code,
    createdAt: now,
    expiresAt,
  }
  // A concurrent request to the same person was stored first: it is the open one.
  if (!(await putRequest(tx, request, last?.id ?? null))) return findOrSend(context, tx, name, asking)
  await tellRequested(context, tx, service, request, asking.message)
  return { id, isNew: true }
}

async function tellRequested(
  context: ServiceSideContext,
  tx: Tx,
  service: Service,
  request: NewRequest,
  message: string | null,
): Promise<void> {
  const company = await findAccount(tx, service.companyId)
  if (company === null) throw new Error(`service ${service.id}: its company ${service.companyId} has no account`)
  const { displayName, shareCode } = company
  await context.messages.tellRequested(tx, request, {
    company: { displayName, shareCode },
    serviceName: service.name,
    serviceCode: service.shareCode,
    message,
  })
}

export interface Rejection {
  readonly serviceId: ServiceName['serviceId']
  readonly id: ConnectRequestId
  readonly customerId: UserId
  readonly region: string
  readonly at: Instant
}

/** A request that lapsed or was answered otherwise does not change. */
export async function rejectRequest(context: ServiceSideContext, tx: Tx, rejection: Rejection): Promise<void> {
  const { serviceId, id, customerId, region, at } = rejection
  const request = await findRequestTo(tx, serviceId, customerId)
  if (request === null || request.customerRegion !== region || request.id !== id) return
  if (!(await answerRequest(tx, request, 'rejected', at))) return
  await appendEvents(context, tx, [requestEvent('connection_request_rejected', request, null)])
}

/**
 * A step of the deletion of a service. Each pending request is closed on its own lane: a tell of the service could overtake
 * the one that announced the request.
 */
export async function endRequests(
  { messages }: ServiceSideContext,
  tx: Tx,
  { serviceId }: ServiceName,
  limit: number,
): Promise<number> {
  const deleted = await deleteRequestsOf(tx, serviceId, limit)
  for (const request of deleted) if (request.state === 'pending') await messages.tellRequestClosed(tx, request)
  return deleted.length
}

function paused(retryAt: Instant): Error {
  return refuse('company_data.connect_request_paused', { retry_at: formatInstant(retryAt) })
}

function invalidMessage(): Error {
  const details = [{ path: '/body/message', message: 'must be one line without control characters' }]
  return refuse('request.invalid', { details })
}
