import type { Bus } from '@sealpost/bus'
import type { Clock, Secret } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { RegionAddress } from '@sealpost/protocol'
import type { Limiter } from '@sealpost/redis'
import type { AccessTokenSigner } from '../oauth/access-token-signer.ts'

export interface SessionNeeds {
  readonly database: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly limiter: Limiter
  readonly signer: AccessTokenSigner
  readonly regions: readonly RegionAddress[]
  readonly directoryKey: Secret<string>
  /** Logins per minute and account, whether there is such an account or not. */
  readonly accountQuota: number
  /** What the web apps choose for new passwords. */
  readonly kdfCost: { readonly memoryKib: number; readonly passes: number }
  /** Of the web apps; nobody else may use the cookies. */
  readonly appOrigins: readonly string[]
}
