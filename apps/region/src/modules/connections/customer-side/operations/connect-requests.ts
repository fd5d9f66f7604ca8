import type { Tx } from '@sealpost/postgres'
import { type CustomerConnection, refuse } from '@sealpost/protocol'
import { findAccount } from '../../../account/index.ts'
import type { CustomerContext } from '../context.ts'
import type { ConnectRequest, Customer } from '../model.ts'
import { deleteRequest, insertRequest } from '../store/requests.ts'
import { connect, type ConnectInput } from './connect.ts'
import { findService } from './find-service.ts'

/** Handles the tell; ignored unless the customer is a person of this region. */
export async function hearRequested({ hooks }: CustomerContext, tx: Tx, request: ConnectRequest): Promise<void> {
  const account = await findAccount(tx, request.accountId)
  if (account?.userType !== 'person') return
  if (!(await insertRequest(tx, request))) return
  await hooks.hint(tx, [{ accountId: request.accountId, kind: 'connect_request_received', id: request.id }])
}

/** Handles the tell; only the region of the service may withdraw its request. */
export async function hearWithdrawn(
  { hooks }: CustomerContext,
  tx: Tx,
  { accountId, id }: Pick<ConnectRequest, 'accountId' | 'id'>,
  companyRegion: string,
): Promise<void> {
  if (!(await deleteRequest(tx, accountId, id, companyRegion))) return
  await hooks.hint(tx, [{ accountId, kind: 'connect_request_closed', id }])
}

/** Connects to the requesting service by its id, because its code may have changed. */
export async function acceptRequest(
  context: CustomerContext,
  customer: Customer,
  { id, companyCode, companyId, serviceId }: ConnectRequest,
  input: Omit<ConnectInput, 'requestId'>,
): Promise<CustomerConnection> {
  if (companyCode === null) throw refuse('services.not_found')
  const service = await findService(context, companyCode, { serviceId })
  if (service.companyId !== companyId || service.serviceId !== serviceId) throw refuse('services.not_found')
  return connect(context, customer, service, { ...input, requestId: id })
}

export async function rejectRequest(
  { database, messages, clock, hooks }: CustomerContext,
  request: ConnectRequest,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await deleteRequest(tx, request.accountId, request.id))) {
      throw refuse('company_connections.request_not_found')
    }
    await messages.tellRejected(tx, { ...request, requestId: request.id, at: clock.now() })
    await hooks.hint(tx, [{ accountId: request.accountId, kind: 'connect_request_closed', id: request.id }])
  })
}
