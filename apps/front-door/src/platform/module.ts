import type { TokenVerifier } from '@sealpost/access-token'
import type { Bus } from '@sealpost/bus'
import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Limiter } from '@sealpost/redis'
import type { Telemetry } from '@sealpost/telemetry'
import type { FrontDoorSettings } from '../settings.ts'
import type { AccessTokenSigner } from './access-token-signer.ts'
import type { RouteBinder } from './bind-route.ts'
import type { PassSigner } from './pass-signer.ts'

/** The engines and ports that every module may use. A module's context is this plus what it alone has. */
export interface Platform {
  readonly settings: FrontDoorSettings
  readonly database: Database
  readonly bus: Bus
  readonly limiter: Limiter
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
  readonly signer: AccessTokenSigner
  readonly passSigner: PassSigner
  readonly verifier: TokenVerifier
}

/** The parts of an opened module that the front door runs: see the loop in `front-door.ts`. */
export interface Module {
  readonly name: string
  /** Registers the handlers of asks and tells. */
  readonly onBus?: (bus: Bus) => void
  readonly routes?: (http: RouteBinder) => void | Promise<void>
}
