import type { Result, WebhookId } from '@sealpost/kernel'
import type { OutletName } from '../../feed/index.ts'
import { loadEndpoints } from '../load.ts'
import { gather } from './gather.ts'
import { type PreparedEndpoint, prepareEndpoint } from './message.ts'
import type { DeliveryNeeds } from './needs.ts'

/** Null when the webhook is gone; refused, with the reason, when nothing can be sent to it as it is. */
export type FoundEndpoint = Result<PreparedEndpoint, string> | null

export interface KnownEndpoints {
  /** As it is since this epoch at least: every change of a webhook raises the epoch in its own transaction. */
  find(name: OutletName, epoch: number): Promise<FoundEndpoint>
}

interface Known {
  readonly epoch: number
  readonly endpoint: FoundEndpoint
}

const REMEMBERED = 10_000
const AT_ONCE = 500

export function openEndpoints(needs: Pick<DeliveryNeeds, 'database' | 'dataKey' | 'headerVendor'>): KnownEndpoints {
  const known = new Map<WebhookId, Known>()
  const loads = gather<OutletName, FoundEndpoint>(AT_ONCE, async (names) => {
    const loaded = await loadEndpoints(needs, names)
    return Promise.all(
      names.map(async ({ webhookId }) => {
        const endpoint = loaded.get(webhookId)
        return endpoint === undefined ? null : prepareEndpoint(needs.headerVendor, endpoint)
      }),
    )
  })
  return {
    async find(name, epoch) {
      const before = known.get(name.webhookId)
      if (before?.epoch === epoch) return before.endpoint
      const endpoint = await loads.ask(name)
      known.delete(name.webhookId)
      if (endpoint === null) return null
      if (known.size >= REMEMBERED) forgetOldest(known)
      known.set(name.webhookId, { epoch, endpoint })
      return endpoint
    },
  }
}

function forgetOldest(known: Map<WebhookId, Known>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest)
    return
  }
}
