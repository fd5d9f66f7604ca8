import type { Brand, Instant, Secret, UserId } from '@sealpost/kernel'
import type { PluginDescription, PluginUseKind, RefreshError } from '@sealpost/protocol'
import type { Sealed } from '@sealpost/sealing'

export type PluginId = Brand<string, 'PluginId'>

export interface PluginName {
  readonly companyId: UserId
  readonly pluginId: PluginId
}

export interface Plugin extends PluginName {
  /** Null for a built-in plugin, which the forwarder answers itself. */
  readonly baseUrl: string | null
  readonly builtinKey: string | null
  /** Sealed under `DATA_KEY`; null without a token. */
  readonly token: Sealed | null
  /** Null until the forwarder has fetched one. A failed refresh keeps it. */
  readonly description: PluginDescription | null
  readonly refreshedAt: Instant | null
  /** Of the last refresh; null after one that succeeded. */
  readonly lastError: RefreshError | null
  readonly createdAt: Instant
}

/** A flow, a request row or a claim that depends on a plugin, as `in_use` shows it. */
export interface PluginUse {
  readonly kind: PluginUseKind
  readonly id: string
  readonly name: string
}

/** All uses of one kind and owner are replaced together; of a service with several flows, those of one flow. */
export interface UseOwner {
  readonly companyId: UserId
  readonly kind: PluginUseKind
  /** The service of a flow or of request rows; the client id of an app. */
  readonly ownerId: string
  /** Null: all uses of the owner. */
  readonly id: string | null
}

export interface NewUse {
  readonly pluginId: string
  readonly id: string
  readonly name: string
}

/** Null without a token; `unreadable` when its key is missing. */
export type OpenToken = Secret<string> | 'unreadable' | null

export interface SealedToken extends PluginName {
  readonly sealed: Sealed
}
