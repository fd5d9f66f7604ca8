import {
  type ClientId,
  type ClientKind,
  parseClientId,
  type RegionCode,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { type ClientRow, findClient } from '../directory/index.ts'
import type { SecretHash } from './secret-hash.ts'

/** What we know of a client beyond what the engine asks for; it rides on the engine's client record. */
export interface ClientFacts {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly serviceId: ServiceId | null
  readonly region: RegionCode
  readonly epoch: number
  readonly secret: SecretHash
}

/** Only clients rest in the directory; the engine's other models belong to the user's home region. */
export function clientAdapter(database: Database): AdapterFactory {
  return (model) => (model === 'Client' ? clients(database) : unstored(model))
}

export function factsOf(client: unknown): ClientFacts {
  if (typeof client === 'object' && client !== null && 'facts' in client) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by metadataOf below, the engine only carries it
    return client.facts as ClientFacts
  }
  throw new Error('the token request has no client')
}

function clients(database: Database): Adapter {
  return {
    ...unstored('Client'),
    async find(id) {
      const clientId = parseClientId(id)
      if (clientId === null) return undefined
      const row = await database.read((read) => findClient(read, clientId))
      return row === null ? undefined : metadataOf(row)
    },
  }
}

function metadataOf(row: ClientRow): AdapterPayload {
  const facts: ClientFacts = {
    clientId: row.client_id,
    kind: row.kind,
    userId: row.user_id,
    userType: row.user_type,
    serviceId: row.service_id,
    region: row.region,
    epoch: row.epoch,
    secret: { keyId: row.secret_key_id, hash: row.secret_hash },
  }
  return {
    client_id: row.client_id,
    // The engine wants a secret to be there; what it holds is the hash, and comparing is ours (see provider.ts).
    client_secret: row.secret_hash.toString('hex'),
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    facts,
  }
}

function unstored(model: string): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error(`${model} is not stored at the front door`))
  return {
    find: () => Promise.resolve(undefined),
    findByUid: () => Promise.resolve(undefined),
    findByUserCode: () => Promise.resolve(undefined),
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}
