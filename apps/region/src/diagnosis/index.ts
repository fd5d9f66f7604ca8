import { parseUuid, type WebhookId } from '@sealpost/kernel'
import type { RegionCore } from '../core.ts'
import { diagnoseMessages } from './messages.ts'
import type { Pause } from './pause.ts'
import { diagnoseWebhook } from './webhook.ts'

/** What an operator is told: one or more lines. */
export async function diagnose(core: RegionCore, args: readonly string[], pause: Pause): Promise<string> {
  const [what, id = '', ...rest] = args
  if (what === undefined) return diagnoseMessages(core.bus, pause)
  const webhookId = parseUuid<WebhookId>(id)
  if (what !== 'webhook' || webhookId === null || rest.length > 0) {
    const found = what === 'webhook' && id !== '' && rest.length === 0 ? `${id} is not the id of a webhook. ` : ''
    throw new Error(`${found}Without words it tells of the messages between regions; else say: webhook <webhook id>`)
  }
  return diagnoseWebhook(core, webhookId, pause)
}
