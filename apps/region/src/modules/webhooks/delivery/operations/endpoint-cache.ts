import { createBoundedCache, type Result, type WebhookId } from '@sealpost/kernel'
import type { WebhookName } from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import { loadEndpoints } from '../../operations/load-endpoints.ts'
import { openBatcher } from './batch.ts'
import { type PreparedEndpoint, prepareEndpoint } from './message.ts'

/** Null when the webhook was deleted; refused, with the reason, when its configuration does not allow sending. */
export type FoundEndpoint = Result<PreparedEndpoint, string> | null

export interface EndpointCache {
  /** At least as new as this epoch: every change of a webhook raises the epoch in its own transaction. */
  find(name: WebhookName, epoch: number): Promise<FoundEndpoint>
}

interface Cached {
  readonly epoch: number
  readonly endpoint: FoundEndpoint
}

const MAX_CACHED = 10_000
const BATCH = 500

export function openEndpointCache(webhooks: Pick<WebhooksContext, 'database' | 'settings'>): EndpointCache {
  const cached = createBoundedCache<WebhookId, Cached>({ most: MAX_CACHED })
  const batcher = openBatcher<WebhookName, FoundEndpoint>(BATCH, async (names) => {
    const loaded = await loadEndpoints(webhooks, names)
    return Promise.all(
      names.map(async ({ webhookId }) => {
        const endpoint = loaded.get(webhookId)
        return endpoint === undefined ? null : prepareEndpoint(webhooks.settings.HEADER_VENDOR, endpoint)
      }),
    )
  })
  return {
    async find(name, epoch) {
      const before = cached.get(name.webhookId)
      if (before?.epoch === epoch) return before.endpoint
      const endpoint = await batcher.load(name)
      if (endpoint === null) cached.delete(name.webhookId)
      else cached.set(name.webhookId, { epoch, endpoint })
      return endpoint
    },
  }
}
