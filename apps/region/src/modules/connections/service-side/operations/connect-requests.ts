import { formatInstant, type Instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { findAccount, type FoundAccount } from '../../../account/index.ts'
import { appendEvents } from '../../../feed/index.ts'
import { lockService, type Service, type ServiceName } from '../../../services/index.ts'
import { requestEvent } from '../events.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { isPlainLine, judgeRequest } from '../rules/requests.ts'
import { findConnectionOf } from '../store/connections.ts'
import {
  answerRequest,
  type ConnectRequestId,
  findRequestTo,
  type NewRequest,
  putRequest,
  takeRequestsOf,
} from '../store/requests.ts'

export interface Invitation {
  readonly shareCode: string
  readonly message: string | null
}

export interface SentRequest {
  readonly id: ConnectRequestId
  /** False when it was open already. */
  readonly isNew: boolean
}

/** Asks a person to connect. `keep` runs in the transaction that stores the request. */
export async function requestConnection(
  needs: ServiceSideNeeds,
  name: ServiceName,
  { shareCode, message }: Invitation,
  keep: (tx: Tx, sent: SentRequest) => Promise<void>,
): Promise<SentRequest> {
  if (message !== null && !isPlainLine(message)) throw invalidMessage()
  const code = shareCode.trim().toUpperCase()
  const person = await needs.findByShareCode(code)
  if (person === null) throw refuse('company_data.share_code_not_found')
  if (person.userType === 'company') throw refuse('company_connections.persons_only', undefined, { status: 400 })
  return needs.database.transaction(async (tx) => {
    const sent = await findOrSend(needs, tx, name, { person, code, message })
    await keep(tx, sent)
    return sent
  })
}

interface Asking {
  readonly person: FoundAccount
  readonly code: string
  readonly message: string | null
}

async function findOrSend(needs: ServiceSideNeeds, tx: Tx, name: ServiceName, asking: Asking): Promise<SentRequest> {
  const { companyId, serviceId } = name
  const { userId: customerId, region: customerRegion } = asking.person
  // Alone: whoever connects or deletes the service at the same time either finds the request or is found by it.
  const service = await lockService(tx, companyId, serviceId)
  if (service === null) throw refuse('auth.token_invalid')
  if ((await findConnectionOf(tx, serviceId, customerId)) !== null) throw refuse('company_data.already_connected')
  const now = needs.clock.now()
  const last = await findRequestTo(tx, serviceId, customerId)
  const verdict = judgeRequest(last, now)
  if (verdict.kind === 'open' && last !== null) return { id: last.id, isNew: false }
  if (verdict.kind === 'paused') throw paused(verdict.retryAt)
  const expiresAt = verdict.kind === 'fresh' ? verdict.expiresAt : now
  const id = needs.ids.uuid<ConnectRequestId>()
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
  // Somebody else asked this person at the same moment: what they stored is the one that is open.
  if (!(await putRequest(tx, request, last?.id ?? null))) return findOrSend(needs, tx, name, asking)
  await tellPerson(needs, tx, service, request, asking.message)
  return { id, isNew: true }
}

async function tellPerson(
  needs: ServiceSideNeeds,
  tx: Tx,
  service: Service,
  request: NewRequest,
  message: string | null,
): Promise<void> {
  const company = await findAccount(tx, service.companyId)
  if (company === null) throw new Error(`service ${service.id} belongs to no account`)
  const { displayName, shareCode } = company
  await needs.wire.tellRequested(tx, request, {
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

/** One that lapsed, or was answered otherwise, stays as it is. */
export async function rejectRequest(needs: ServiceSideNeeds, tx: Tx, rejection: Rejection): Promise<void> {
  const { serviceId, id, customerId, region, at } = rejection
  const request = await findRequestTo(tx, serviceId, customerId)
  if (request === null || request.customerRegion !== region || request.id !== id) return
  if (!(await answerRequest(tx, request, 'rejected', at))) return
  await appendEvents(tx, needs, [requestEvent('connection_request_rejected', request, null)])
}

/** With the service. Each person hears it where they heard of the request: a tell of the service might come before that. */
export async function endRequests(
  { wire }: Pick<ServiceSideNeeds, 'wire'>,
  tx: Tx,
  { serviceId }: ServiceName,
  limit: number,
): Promise<number> {
  const taken = await takeRequestsOf(tx, serviceId, limit)
  for (const request of taken) if (request.state === 'pending') await wire.tellRequestClosed(tx, request)
  return taken.length
}

function paused(retryAt: Instant): Error {
  return refuse('company_data.connect_request_paused', { retry_at: formatInstant(retryAt) })
}

function invalidMessage(): Error {
  const details = [{ path: '/body/message', message: 'must be one line without control characters' }]
  return refuse('request.invalid', { details })
}
