import type { ClientId, ClientKind, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import type { ClientRow, SecretHash } from '../directory/index.ts'

/** The resource of every access token, by the name that the engine knows. */
export const API_RESOURCE = 'urn:sealpost:api'

/** A client of the directory; the engine carries it as metadata of its own client record. */
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

export function factsOfRow(row: ClientRow): ClientFacts {
  const { secret_key_id: keyId, secret_hash: hash } = row
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
    secret: keyId === null || hash === null ? null : { keyId, hash },
  }
}
