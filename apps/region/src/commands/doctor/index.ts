import { parseUuid, type WebhookId } from '@sealpost/kernel'
import { regionProxyAdvice } from '../../platform/proxy-advice.ts'
import type { Region } from '../../region.ts'
import { diagnoseJobs, listDeadJobs } from './jobs.ts'
import { diagnoseMessages, type Pause } from './messages.ts'
import { diagnoseWebhook } from './webhook.ts'

/** The report for an operator: one or more lines. */
export async function diagnose(region: Region, args: readonly string[], pause: Pause): Promise<string> {
  const [what, id = '', ...rest] = args
  const { bus, jobs } = region.platform
  if (what === undefined) {
    const advice = regionProxyAdvice(region.platform)
    const lines = [await diagnoseMessages(bus, pause), ...(await listDeadJobs(jobs))]
    return [...lines, ...(advice === null ? [] : [advice])].join('\n')
  }
  if (what === 'jobs' && id === '') return diagnoseJobs(jobs)
  const webhookId = parseUuid<WebhookId>(id)
  if (what !== 'webhook' || webhookId === null || rest.length > 0) {
    const found = what === 'webhook' && id !== '' && rest.length === 0 ? `${id} is not the id of a webhook. ` : ''
    throw new Error(
      `${found}Without arguments it reports blocked messages between regions and dead jobs; otherwise: jobs, or webhook <webhook id>`,
    )
  }
  return diagnoseWebhook(region, webhookId, pause)
}
