import { type ClientId, type Clock, type Ids, Secret, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { ClientDirectory } from './directory.ts'
import { applyEpoch, type ClientState, findClientOfService, insertClientState } from './guard/index.ts'
import { SERVICE_CLIENT_PATTERNS } from './rules.ts'

/** Below every epoch that the directory gives. */
const UNISSUED = 0

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

/**
 * A service's data client. The directory holds its secret's hash, this region what it may reach. The client is written
 * here first, without an epoch that a token could match: if anything fails after that, the next call finds it and goes on.
 */
export async function registerDataClient(
  needs: AccessNeeds,
  companyId: UserId,
  serviceId: ServiceId,
  chosen?: IssuedClient,
): Promise<IssuedClient> {
  const wanted = chosen?.clientId ?? needs.ids.clientId('svc')
  const begun = await needs.database.transaction((tx) => beginClient(tx, companyId, serviceId, wanted))
  if (begun.epoch !== UNISSUED && begun.clientId !== chosen?.clientId) throw refuse('services.client_exists')
  const secret = chosen?.secret ?? new Secret(needs.ids.clientSecret())
  const { clientId } = begun
  const { epoch } = await needs.directory.putClient({ clientId, kind: 'svc', userId: companyId, serviceId, secret })
  await applyEpoch(needs, companyId, clientId, epoch)
  return { clientId, secret }
}

async function beginClient(tx: Tx, companyId: UserId, serviceId: ServiceId, clientId: ClientId): Promise<ClientState> {
  const fresh = {
    clientId,
    kind: 'svc',
    companyId,
    serviceId,
    epoch: UNISSUED,
    patterns: SERVICE_CLIENT_PATTERNS,
  } as const
  await insertClientState(tx, fresh)
  const stored = await findClientOfService(tx, companyId, serviceId)
  if (stored === null) throw refuse('services.client_exists')
  return stored
}

/** Ends every token of a client: when this resolves, no process of the home region accepts one any more. */
export async function revokeClientTokens(needs: AccessNeeds, companyId: UserId, clientId: ClientId): Promise<void> {
  const { epoch } = await needs.directory.raiseEpoch({ clientId, userId: companyId })
  await applyEpoch(needs, companyId, clientId, epoch)
}
