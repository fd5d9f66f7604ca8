import {
  type ClientId,
  type ClientKind,
  type Instant,
  parseClientId,
  type RegionCode,
  type ServiceId,
  type UserId,
} from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Level } from '@sealpost/protocol'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { type ClientLookUp, type ClientRow, openClientLookUp } from '../directory/index.ts'
import type { SecretHash } from './secret-hash.ts'

/** What we know of a client beyond what the engine asks for; it rides on the engine's client record. */
export interface ClientFacts {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly serviceId: ServiceId | null
  readonly region: RegionCode
  readonly redirectUris: readonly string[]
  readonly epoch: number
  readonly level: Level
  readonly levelChangedAt: Instant | null
  /** Null for a public app. */
  readonly secret: SecretHash | null
}

/** Clients rest in the directory. */
export function clientAdapter(database: Database): Partial<Adapter> {
  return clients(openClientLookUp(database))
}

export function factsOf(client: unknown): ClientFacts {
  if (typeof client === 'object' && client !== null && 'facts' in client) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by metadataOf below, the engine only carries it
    return client.facts as ClientFacts
  }
  throw new Error('the token request has no client')
}

function clients(lookUp: ClientLookUp): Partial<Adapter> {
  return {
    async find(id) {
      const clientId = parseClientId(id)
      if (clientId === null) return undefined
      const row = await lookUp.find(clientId)
      return row === null ? undefined : metadataOf(row)
    },
  }
}

export function factsOfRow(row: ClientRow): ClientFacts {
  return {
    clientId: row.client_id,
    kind: row.kind,
    userId: row.user_id,
    userType: row.user_type,
    serviceId: row.service_id,
    region: row.region,
    redirectUris: row.redirect_uris,
    epoch: row.epoch,
    level: row.level,
    levelChangedAt: row.level_changed_at,
    secret: secretOf(row),
  }
}

/**
 * Authorize requests are judged without the engine, and a code knows its address. The engine only wants one to be there;
 * shown the real one, it would refuse the whole client for a scheme that is fine with us.
 */
const STAND_IN = 'https://redirect.invalid/'

function metadataOf(row: ClientRow): AdapterPayload {
  const facts = factsOfRow(row)
  const redirects = facts.redirectUris.length > 0
  return {
    client_id: row.client_id,
    // The engine wants a secret to be there; what it holds is the hash, and comparing is ours (see provider.ts).
    ...(facts.secret === null ? {} : { client_secret: Buffer.from(facts.secret.hash).toString('hex') }),
    token_endpoint_auth_method: facts.secret === null ? 'none' : 'client_secret_post',
    grant_types: grantTypesOf(facts),
    response_types: redirects ? ['code'] : [],
    redirect_uris: redirects ? [STAND_IN] : [],
    facts,
  }
}

/** A code needs an address to go to. A data client keeps what it got by one, also when the address is taken away. */
export function grantTypesOf({ kind, redirectUris }: Pick<ClientFacts, 'kind' | 'redirectUris'>): string[] {
  const byCode = redirectUris.length > 0 ? ['authorization_code'] : []
  switch (kind) {
    case 'svc':
      return ['client_credentials', ...byCode, 'refresh_token']
    case 'acct':
      return ['client_credentials', ...byCode, ...(byCode.length > 0 ? ['refresh_token'] : [])]
    case 'idw':
      return [...byCode, 'refresh_token']
  }
}

function secretOf({ secret_key_id: keyId, secret_hash: hash }: ClientRow): SecretHash | null {
  return keyId === null || hash === null ? null : { keyId, hash }
}
