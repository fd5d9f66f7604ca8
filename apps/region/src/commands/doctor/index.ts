import { parseUuid, type WebhookId } from '@sealpost/kernel'
import type { Region } from '../../region.ts'
import { diagnoseMessages, type Pause } from './messages.ts'
import { diagnoseWebhook } from './webhook.ts'

/** The report for an operator: one or more lines. */
export async function diagnose(region: Region, args: readonly string[], pause: Pause): Promise<string> {
  const [what, id = '', ...rest] = args
  if (what === undefined) return diagnoseMessages(region.platform.bus, pause)
  const webhookId = parseUuid<WebhookId>(id)
  if (what !== 'webhook' || webhookId === null || rest.length > 0) {
    const found = what === 'webhook' && id !== '' && rest.length === 0 ? `${id} is not the id of a webhook. ` : ''
    throw new Error(
      `${found}Without arguments it reports the messages between regions; otherwise: webhook <webhook id>`,
    )
  }
  return diagnoseWebhook(region, webhookId, pause)
}
