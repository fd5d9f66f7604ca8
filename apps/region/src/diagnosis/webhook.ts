import { parseInstant, type WebhookId } from '@sealpost/kernel'
import type { RegionCore } from '../core.ts'
import { readSwitches } from '../modules/access/index.ts'
import { explainOutlet } from '../modules/feed/index.ts'
import { findEndpointFacts, listDeliveries } from '../modules/webhooks/index.ts'
import { explainWebhook } from './explain-webhook.ts'
import type { LastFailure } from './failures.ts'
import type { Pause } from './pause.ts'

/** A worker looks for work many times in this time. */
const BETWEEN_LOOKS_MS = 2000

/** Why the events of a webhook wait, if they do, and what to do. */
export async function diagnoseWebhook(core: RegionCore, webhookId: WebhookId, pause: Pause): Promise<string> {
  const { database, clock, region } = core
  const endpoint = await database.read((read) => findEndpointFacts(read, webhookId))
  const look = async () =>
    endpoint === null ? null : database.read((read) => explainOutlet(read, endpoint.name, clock.now()))
  const first = await look()
  if (endpoint === null || first === null) {
    throw new Error(`no webhook ${webhookId} in ${region}: it was deleted, or its company lives in another region`)
  }
  // Whether anybody works on it shows only after a while.
  await pause(BETWEEN_LOOKS_MS)
  const outlet = (await look()) ?? first
  const facts = {
    now: clock.now(),
    region,
    endpoint,
    outlet,
    isWorkedOn: outlet.isLeased || outlet.token !== first.token,
    lastFailure: await findLastFailure(core, endpoint.name),
    switches: await database.read((read) => readSwitches(read)),
  }
  return explainWebhook(facts).join('\n')
}

async function findLastFailure(
  { webhooks }: RegionCore,
  name: Parameters<typeof listDeliveries>[1],
): Promise<LastFailure | null> {
  const { items } = await listDeliveries(webhooks, name, { limit: '20' })
  const failed = items.find((item) => item.kind !== 'test' && item.error_class !== null)
  if (failed === undefined) return null
  return { errorClass: failed.error_class, httpStatus: failed.http_status, at: parseInstant(failed.at) }
}
