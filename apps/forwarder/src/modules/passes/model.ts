import type { Party } from '@sealpost/bus'
import type { Instant } from '@sealpost/kernel'
import type { PassClaims } from '@sealpost/protocol'

export interface Pass {
  readonly kind: PassClaims['kind']
  readonly companyId: string
  readonly pluginIds: readonly string[]
  readonly region: Party
  readonly expiresAt: Instant
}

export interface Passes {
  /** Throws `plugin.pass_invalid`, and `plugin.unavailable` when the keys of the region cannot be read. */
  verify(text: unknown): Promise<Pass>
  close(): Promise<void>
}
