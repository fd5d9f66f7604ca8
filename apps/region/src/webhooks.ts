import type { Egress } from '@sealpost/egress'
import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { ServiceHooks, ServiceJobSteps } from './modules/services/index.ts'
import { dropWebhooksOf, sendTest, type WebhooksNeeds } from './modules/webhooks/index.ts'
import type { RegionSettings } from './settings.ts'

export interface WebhooksCore {
  readonly settings: RegionSettings
  readonly database: Database
  readonly egress: Egress
  readonly clock: Clock
  readonly ids: Ids
}

export function openWebhooks({ settings, database, egress, clock, ids }: WebhooksCore): WebhooksNeeds {
  return {
    database,
    clock,
    ids,
    dataKey: settings.DATA_KEY,
    headerVendor: settings.HEADER_VENDOR,
    sendTest: (endpoint) => sendTest({ clock, ids, egress, headerVendor: settings.HEADER_VENDOR }, endpoint),
  }
}

/** What hears of the end of a service, with the webhooks among it: they end at once, before its connections. */
export function withWebhooks({ hooks, steps }: { readonly hooks: ServiceHooks; readonly steps: ServiceJobSteps }): {
  readonly hooks: ServiceHooks
  readonly steps: ServiceJobSteps
} {
  const onServiceDeleted = [...hooks.onServiceDeleted, dropWebhooksOf]
  return { hooks: { ...hooks, onServiceDeleted }, steps }
}
