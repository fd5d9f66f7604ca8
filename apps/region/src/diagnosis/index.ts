import { parseUuid, type WebhookId } from '@sealpost/kernel'
import type { RegionCore } from '../core.ts'
import { diagnoseMessages } from './messages.ts'
import { diagnoseWebhook } from './webhook.ts'

export type Pause = (ms: number) => Promise<void>

/** What an operator is told: one or more lines. */
export async function diagnose(core: RegionCore, args: readonly string[], pause: Pause): Promise<string> {
  const [what, id = '', ...rest] = args
  if (what === undefined) return diagnoseMessages(core.bus, pause)
  const webhookId = parseUuid<WebhookId>(id)
  if (what !== 'webhook' || webhookId === null || rest.length > 0) {
    throw new Error('say nothing, for the messages between regions, or: webhook <webhook id>')
  }
  return diagnoseWebhook(core, webhookId, pause)
}
