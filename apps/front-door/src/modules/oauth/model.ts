import { COMMAND_LINE } from '@sealpost/access-token'
import type { ClientId, ClientKind, Instant, RegionCode, ServiceId, UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import type { ClientRow, SecretHash } from '../directory/index.ts'

/** The resource of every access token, by the name that the engine knows. */
export const API_RESOURCE = 'urn:sealpost:api'

/** A client of the directory; the engine carries it as metadata of its own client record. */
export interface ClientFacts {
  readonly clientId: ClientId
  readonly kind: ClientKind | 'command'
  readonly userId: UserId
  readonly userType: 'person' | 'company'
  readonly serviceId: ServiceId | null
  readonly region: RegionCode
  readonly redirectUris: readonly string[]
  /** Of a sign-in app: its requests may be detached. */
  readonly allowsDetached: boolean
  readonly epoch: number
  readonly level: Level
  readonly levelChangedAt: Instant | null
  /** Null for a public app. */
  readonly secret: SecretHash | null
}

/** The `sealpost` command, which belongs to no company: a user of any company can sign in for their own. */
export type CommandClient = Omit<ClientFacts, 'kind' | 'userId' | 'region'> & { readonly kind: 'command' }

export const commandClient: CommandClient = {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixed name, like those of our web apps
  clientId: COMMAND_LINE as ClientId,
  kind: 'command',
  userType: 'company',
  serviceId: null,
  redirectUris: [],
  allowsDetached: false,
  // A release that raises it ends all logins of the command.
  epoch: 1,
  level: 'free',
  levelChangedAt: null,
  secret: null,
}

/** The command after a user of this company has signed in. */
export function commandOf(userId: UserId, region: RegionCode): ClientFacts {
  return { ...commandClient, userId, region }
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
    allowsDetached: row.allows_detached,
    epoch: row.epoch,
    level: row.level,
    levelChangedAt: row.level_changed_at,
    secret: keyId === null || hash === null ? null : { keyId, hash },
  }
}
