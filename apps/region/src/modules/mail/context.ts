import type { Platform } from '../../platform/module.ts'
import type { RegionSettings } from '../../settings.ts'

/** The part of `Platform` that queues a mail. */
export interface MailContext extends Pick<Platform, 'clock' | 'ids' | 'jobs'> {
  /** `DATA_KEY` seals queued mails. */
  readonly settings: Pick<RegionSettings, 'DATA_KEY'>
}
