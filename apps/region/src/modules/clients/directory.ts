import type { ClientId, ClientKind, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { DirectoryClient } from '@sealpost/protocol'

/** What this module asks of the global directory; `bus.ts` carries it. Each act answers the client as it then is there. */
export interface ClientsDirectory {
  put(client: PutClient): Promise<DirectoryClient>
  change(change: ChangeClient): Promise<DirectoryClient>
  /** Resolves also when it was gone already. */
  remove(client: { readonly companyId: UserId; readonly clientId: ClientId }): Promise<void>
  find(clientId: ClientId): Promise<DirectoryClient | null>
  findOfService(serviceId: ServiceId): Promise<DirectoryClient | null>
  /** All clients of the accounts that live here, some at a time. */
  list(): AsyncIterable<readonly DirectoryClient[]>
}

/** The id is that of the act which sets the secret. */
export interface NewSecret {
  readonly id: string
  readonly value: Secret<string>
}

export interface PutClient {
  readonly clientId: ClientId
  readonly kind: ClientKind
  readonly companyId: UserId
  readonly serviceId: ServiceId | null
  readonly name: string
  readonly purpose: string | null
  readonly capabilities: readonly string[]
  readonly patterns: readonly string[]
  readonly redirectUris: readonly string[]
  readonly isConfidential: boolean
  readonly secret: NewSecret | null
}

/** What is absent stays as it is. */
export interface ChangeClient {
  /** The same act asked twice is done once. */
  readonly actId: string
  readonly clientId: ClientId
  readonly companyId: UserId
  readonly name?: string | undefined
  readonly serviceId?: ServiceId | null | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly patterns?: readonly string[] | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly secret?: Secret<string> | undefined
  /** What is known of the client here: the directory numbers on from there. */
  readonly least: { readonly rev: number; readonly epoch: number }
  /** For a change made of what was read before: refused when somebody was faster. */
  readonly ifRev?: number | undefined
}
