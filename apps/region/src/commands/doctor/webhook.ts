import { parseInstant, type WebhookId } from '@sealpost/kernel'
import type { Modules } from '../../compose.ts'
import { readSwitches } from '../../modules/access/index.ts'
import { explainQueue } from '../../modules/feed/index.ts'
import { findEndpointFacts, listDeliveries } from '../../modules/webhooks/index.ts'
import type { Region } from '../../region.ts'
import { explainWebhook } from './explain-webhook.ts'
import type { LastFailure } from './failures.ts'
import type { Pause } from './messages.ts'

/** Workers poll many times in this time. */
const BETWEEN_READS_MS = 2000

/** Why the events of a webhook wait, if they do, and what to do. */
export async function diagnoseWebhook(
  { platform, modules }: Region,
  webhookId: WebhookId,
  pause: Pause,
): Promise<string> {
  const { database, clock, region } = platform
  const endpoint = await database.read((read) => findEndpointFacts(read, webhookId))
  const readQueue = async () =>
    endpoint === null ? null : database.read((read) => explainQueue(read, endpoint.name, clock.now()))
  const first = await readQueue()
  if (endpoint === null || first === null) {
    throw new Error(`no webhook ${webhookId} in ${region}: it was deleted, or its company lives in another region`)
  }
  // A second read after a while shows whether a worker serves it.
  await pause(BETWEEN_READS_MS)
  const queue = (await readQueue()) ?? first
  const facts = {
    now: clock.now(),
    region,
    endpoint,
    queue,
    isWorkedOn: queue.isLeased || queue.token !== first.token,
    lastFailure: await findLastFailure(modules, endpoint.name),
    switches: await database.read((read) => readSwitches(read)),
  }
  return explainWebhook(facts).join('\n')
}

async function findLastFailure(
  { webhooks }: Modules,
  name: Parameters<typeof listDeliveries>[1],
): Promise<LastFailure | null> {
  const { items } = await (await listDeliveries(webhooks, name, { limit: '20' })).collect()
  const failed = items.find((item) => item.kind !== 'test' && item.error_class !== null)
  if (failed === undefined) return null
  return { errorClass: failed.error_class, httpStatus: failed.http_status, at: parseInstant(failed.at) }
}
