import type { Tx } from '@sealpost/postgres'
import { type CustomerConnection, type Decision, refuse } from '@sealpost/protocol'
import { findAccount } from '../../../account/index.ts'
import type { Customer } from '../connection.ts'
import type { CustomerNeeds } from '../needs.ts'
import { type ConnectRequest, deleteRequest, insertRequest } from '../store/requests.ts'
import type { StoreAnswer } from './conclude.ts'
import { connect } from './connect.ts'
import { findService } from './find-service.ts'

/** The tell. Nobody but a person who lives here is asked. */
export async function hearRequested(tx: Tx, request: ConnectRequest): Promise<void> {
  const account = await findAccount(tx, request.accountId)
  if (account?.userType === 'person') await insertRequest(tx, request)
}

/** Connects to the service that asks, by its id: its code may be another by now. */
export async function acceptRequest(
  needs: CustomerNeeds,
  customer: Customer,
  { id, companyCode, companyId, serviceId }: ConnectRequest,
  wish: { readonly decisions: readonly Decision[]; readonly openedBy: string | null },
  storeAnswer: StoreAnswer,
): Promise<CustomerConnection> {
  if (companyCode === null) throw refuse('services.not_found')
  const service = await findService(needs, companyCode, { serviceId })
  if (service.companyId !== companyId || service.serviceId !== serviceId) throw refuse('services.not_found')
  return connect(needs, customer, service, { ...wish, requestId: id }, storeAnswer)
}

export async function rejectRequest({ database, wire, clock }: CustomerNeeds, request: ConnectRequest): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await deleteRequest(tx, request.accountId, request.id))) {
      throw refuse('company_connections.request_not_found')
    }
    await wire.tellRejected(tx, { ...request, requestId: request.id, at: clock.now() })
  })
}
