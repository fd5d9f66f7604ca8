import type { Tx } from '@sealpost/postgres'
import { ApiError, type CustomerConnection, refuse } from '@sealpost/protocol'
import type { ConnectionName, Customer } from '../connection.ts'
import { findKnown } from '../known.ts'
import type { CustomerNeeds } from '../needs.ts'
import { showConnection } from '../record.ts'
import { deleteConnections } from '../store/connections.ts'
import { deleteRequest } from '../store/requests.ts'
import type { Connected } from '../wire.ts'
import { learnFacts } from './facts.ts'
import type { FoundService } from './find-service.ts'
import { alreadyConnected, connectionNotFound } from './refusals.ts'
import { settle } from './settle.ts'

export type StoreAnswer = (tx: Tx, shown: CustomerConnection) => Promise<void>

export interface Attempt {
  readonly customer: Customer
  readonly service: FoundService
  readonly wish: { readonly requestId: string | null; readonly openedBy: string | null }
  readonly name: ConnectionName
}

/** Carries out what the service answered to an attempt to connect. */
export async function conclude(
  needs: CustomerNeeds,
  attempt: Attempt,
  answered: Connected,
  storeAnswer: StoreAnswer,
): Promise<CustomerConnection> {
  if (answered.outcome === 'connected') return concludeConnected(needs, attempt, answered, storeAnswer)
  if (answered.outcome === 'exists') {
    const isOwn = answered.connectionId === attempt.name.id
    return (isOwn ? concludeConnected : concludeExisting)(needs, attempt, answered, storeAnswer)
  }
  await forgetOpening(needs, attempt, answered.outcome === 'no_request')
  throw refusalOf(answered, attempt.customer)
}

async function concludeConnected(
  needs: CustomerNeeds,
  { service, name }: Attempt,
  { connectedAt, facts }: Extract<Connected, { readonly outcome: 'connected' | 'exists' }>,
  storeAnswer: StoreAnswer,
): Promise<CustomerConnection> {
  return needs.database.transaction(async (tx) => {
    await learnFacts(tx, service, facts, needs.clock.now())
    const known = (await settle(needs, tx, name, connectedAt, service)) === null ? null : await findKnown(tx, name)
    // Ended by the service before we could open it.
    if (known === null) throw connectionNotFound()
    const shown = showConnection(known)
    await storeAnswer(tx, shown)
    return shown
  })
}

/** The service has one that we asked for before: an answer was lost. It is opened with what was decided then. */
async function concludeExisting(
  needs: CustomerNeeds,
  { customer, service, wish, name }: Attempt,
  { connectionId, connectedAt, facts }: Extract<Connected, { readonly outcome: 'exists' }>,
  storeAnswer: StoreAnswer,
): Promise<CustomerConnection> {
  const existing = { accountId: customer.accountId, id: connectionId }
  const outcome = await needs.database.transaction(async (tx) => {
    await learnFacts(tx, service, facts, needs.clock.now())
    await deleteConnections(tx, name.accountId, [name.id])
    const opened = await settle(needs, tx, existing, connectedAt, service)
    if (opened === null) {
      await needs.wire.tellGone(tx, { ...service, ...customer, connectionId, isErased: false })
      return refuse('region.unreachable')
    }
    const isOurs = wish.openedBy !== null && opened.openedBy === wish.openedBy
    const known = isOurs ? await findKnown(tx, existing) : null
    if (known === null) return alreadyConnected()
    const shown = showConnection(known)
    await storeAnswer(tx, shown)
    return shown
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

async function forgetOpening(
  { database }: CustomerNeeds,
  { name, wish }: Attempt,
  isRequestOver: boolean,
): Promise<void> {
  await database.transaction(async (tx) => {
    await deleteConnections(tx, name.accountId, [name.id])
    if (isRequestOver && wish.requestId !== null) await deleteRequest(tx, name.accountId, wish.requestId)
  })
}

type Refused = Exclude<Connected, { readonly outcome: 'connected' | 'exists' }>

function refusalOf(answered: Refused, { userType }: Customer): ApiError {
  switch (answered.outcome) {
    case 'no_service':
      return refuse('services.not_found')
    case 'audience':
      return userType === 'person' ? refuse('services.audience_b2b_only') : refuse('company_connections.persons_only')
    case 'no_request':
      return refuse('company_connections.request_not_found')
    case 'mandatory_missing':
      return refuse('company_connections.mandatory_missing', { slugs: answered.slugs })
    case 'invalid':
      return refuse('request.invalid', { details: answered.details })
  }
}
