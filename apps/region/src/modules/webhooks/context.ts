import type { Platform } from '../../platform/module.ts'
import type { RegionSettings } from '../../settings.ts'
import type { FeedContext } from '../feed/index.ts'
import type { MailContext } from '../mail/index.ts'
import type { ServicesContext } from '../services/index.ts'

export interface WebhooksContext extends Platform {
  readonly mail: MailContext
  readonly feed: FeedContext
  readonly services: ServicesContext
}

/** The part of it that operations on sealed secrets use. */
export interface SecretsContext extends Pick<Platform, 'database'> {
  readonly settings: Pick<RegionSettings, 'DATA_KEY'>
}
