import { type ClientId, type Clock, type Ids, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { ClientDirectory } from './directory.ts'
import { applyEpoch, insertClientState, recordChange } from './guard/index.ts'
import { SERVICE_CLIENT_PATTERNS } from './rules.ts'

export interface AccessNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly directory: ClientDirectory
}

export interface IssuedClient {
  readonly clientId: ClientId
  readonly secret: Secret<string>
}

/** A service's data client. The directory holds its secret's hash, this region what it may reach. */
export async function registerDataClient(
  needs: AccessNeeds,
  companyId: UserId,
  serviceId: ServiceId,
  chosen?: IssuedClient,
): Promise<IssuedClient> {
  const issued = chosen ?? { clientId: needs.ids.clientId('svc'), secret: new Secret(needs.ids.clientSecret()) }
  const { epoch } = await needs.directory.putClient({
    clientId: issued.clientId,
    kind: 'svc',
    userId: companyId,
    serviceId,
    secret: issued.secret,
  })
  await needs.database.transaction(async (tx) => {
    const patterns = SERVICE_CLIENT_PATTERNS
    await insertClientState(tx, { clientId: issued.clientId, kind: 'svc', companyId, serviceId, epoch, patterns })
    await recordChange(tx, issued.clientId, needs.clock.now())
  })
  return issued
}

/** Ends every token of a client: when this resolves, no process of the home region accepts one any more. */
export async function revokeClientTokens(needs: AccessNeeds, companyId: UserId, clientId: ClientId): Promise<void> {
  const { epoch } = await needs.directory.raiseEpoch({ clientId, userId: companyId })
  await applyEpoch(needs, companyId, clientId, epoch)
}
