import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Decision, ServiceOffer } from '@sealpost/protocol'
import type { CustomerContext } from '../context.ts'
import { findOpenConnection } from '../store/connections.ts'
import { offerToWire } from '../wire.ts'
import { connect } from './connect.ts'
import { findService, requireAudience } from './find-service.ts'

/** A person at the consent page of an app of the service. */
export interface Consenting {
  readonly accountId: UserId
  readonly companyCode: string
  readonly serviceId: ServiceId
}

export interface ConsentedConnect {
  readonly sessionId: string
  readonly decisions: readonly Decision[]
  readonly deviceRecord: string | null
  readonly isConfirmed: boolean
}

/** The fields that the service requests, while there is no connection. */
export async function readOffer(
  context: CustomerContext,
  { accountId, companyCode, serviceId }: Consenting,
): Promise<{ is_connected: boolean; offer: ServiceOffer | null }> {
  if (await isConnected(context, accountId, serviceId)) return { is_connected: true, offer: null }
  const customer = { accountId, userType: 'person' } as const
  const service = await findService(context, companyCode, { serviceId })
  requireAudience(service.facts, customer)
  return { is_connected: false, offer: offerToWire(service, customer) }
}

/** A person who is connected already stays so: a consent may be repeated. */
export async function consentToConnect(
  context: CustomerContext,
  { accountId, companyCode, serviceId }: Consenting,
  consented: ConsentedConnect,
): Promise<void> {
  if (await isConnected(context, accountId, serviceId)) return
  const service = await findService(context, companyCode, { serviceId })
  await connect(context, { accountId, userType: 'person' }, service, {
    ...consented,
    requestId: null,
    openedBy: null,
    approval: null,
  })
}

async function isConnected({ database }: CustomerContext, accountId: UserId, serviceId: ServiceId): Promise<boolean> {
  return (await database.read((read) => findOpenConnection(read, accountId, serviceId))) !== null
}
