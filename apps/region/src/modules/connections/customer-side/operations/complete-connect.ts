import { ApiError, type CustomerConnection, refuse } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import type { ConnectionName, ConnectReply, Customer, FoundService } from '../model.ts'
import { alreadyConnected, connectionNotFound } from '../rules/refusals.ts'
import { deleteConnections } from '../store/connections.ts'
import { deleteRequest } from '../store/requests.ts'
import { connectionToWire } from '../wire.ts'
import { confirmConnection } from './confirm-connection.ts'
import { learnFacts } from './learn-facts.ts'
import { findKnown } from './read-connections.ts'

export interface Attempt {
  readonly customer: Customer
  readonly service: FoundService
  readonly input: { readonly requestId: string | null; readonly openedBy: string | null }
  readonly name: ConnectionName
}

/** Applies the service's reply to an attempt to connect. */
export async function completeConnect(
  context: CustomerContext,
  attempt: Attempt,
  reply: ConnectReply,
): Promise<CustomerConnection> {
  if (reply.outcome === 'connected') return completeConnected(context, attempt, reply)
  if (reply.outcome === 'exists') {
    const isOwn = reply.connectionId === attempt.name.id
    return (isOwn ? completeConnected : completeExisting)(context, attempt, reply)
  }
  await deleteOpening(context, attempt, reply.outcome === 'no_request')
  throw refusalOf(reply, attempt.customer)
}

async function completeConnected(
  context: CustomerContext,
  { service, name }: Attempt,
  { connectedAt, facts }: Extract<ConnectReply, { readonly outcome: 'connected' | 'exists' }>,
): Promise<CustomerConnection> {
  return context.database.transaction(async (tx) => {
    await learnFacts(context, tx, service, facts)
    const opened = await confirmConnection(context, tx, name, connectedAt, service)
    const known = opened === null ? null : await findKnown(tx, name)
    // The service ended the connection before it was confirmed here.
    if (known === null) throw connectionNotFound()
    const connection = connectionToWire(known)
    await tx.storeAnswer(connection)
    return connection
  })
}

/** An earlier reply was lost: the service has the connection of an earlier attempt, and it opens with those decisions. */
async function completeExisting(
  context: CustomerContext,
  { customer, service, input, name }: Attempt,
  { connectionId, connectedAt, facts }: Extract<ConnectReply, { readonly outcome: 'exists' }>,
): Promise<CustomerConnection> {
  const existing = { accountId: customer.accountId, id: connectionId }
  const outcome = await context.database.transaction(async (tx) => {
    await learnFacts(context, tx, service, facts)
    await deleteConnections(tx, name.accountId, [name.id])
    const opened = await confirmConnection(context, tx, existing, connectedAt, service)
    if (opened === null) {
      await context.messages.tellGone(tx, { ...service, ...customer, connectionId, isErased: false })
      return refuse('region.unreachable')
    }
    const isSameCall = input.openedBy !== null && opened.openedBy === input.openedBy
    const known = isSameCall ? await findKnown(tx, existing) : null
    if (known === null) return alreadyConnected()
    const connection = connectionToWire(known)
    await tx.storeAnswer(connection)
    return connection
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

async function deleteOpening(
  { database }: CustomerContext,
  { name, input }: Attempt,
  isRequestOver: boolean,
): Promise<void> {
  await database.transaction(async (tx) => {
    await deleteConnections(tx, name.accountId, [name.id])
    if (isRequestOver && input.requestId !== null) await deleteRequest(tx, name.accountId, input.requestId)
  })
}

type Refused = Exclude<ConnectReply, { readonly outcome: 'connected' | 'exists' }>

function refusalOf(reply: Refused, { userType }: Customer): ApiError {
  switch (reply.outcome) {
    case 'no_service':
      return refuse('services.not_found')
    case 'audience':
      return userType === 'person' ? refuse('services.audience_b2b_only') : refuse('company_connections.persons_only')
    case 'no_request':
      return refuse('company_connections.request_not_found')
    case 'mandatory_missing':
      return refuse('company_connections.mandatory_missing', { slugs: reply.slugs })
    case 'invalid':
      return refuse('request.invalid', { details: reply.details })
  }
}
