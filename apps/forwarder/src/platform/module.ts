import type { Asker } from '@sealpost/bus'
import type { Egress } from '@sealpost/egress'
import type { Clock, Ids } from '@sealpost/kernel'
import type { Telemetry } from '@sealpost/telemetry'
import type { ForwarderSettings } from '../settings.ts'
import type { PluginPlaces } from './plugin-places.ts'

/** The engines and ports that every module may use. There is no database: a forwarder keeps nothing. */
export interface Platform {
  readonly settings: ForwarderSettings
  readonly asker: Asker
  readonly places: PluginPlaces
  /** For plugins only: it reaches none of our own machines. */
  readonly egress: Egress
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
}
