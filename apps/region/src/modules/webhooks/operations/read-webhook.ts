import { parseUuid, type WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import { listPage, type Slice } from '../../../platform/page.ts'
import { listQueueHealth, readQueueHealth, type WebhookName } from '../../feed/index.ts'
import { nameOfService, requireService, type ServiceName } from '../../services/index.ts'
import type { WebhooksContext } from '../context.ts'
import { countEndpoints, findEndpoint, listEndpoints } from '../store/endpoints.ts'
import { webhookToWire, type WireWebhook } from '../wire.ts'
import { findWebhook, openWebhook } from './load-endpoints.ts'

/** The webhook that a path names; a caller without access to the service gets the answer for a missing service. */
export async function locateWebhook(
  { database, services }: WebhooksContext,
  caller: Parameters<typeof requireService>[1],
  params: { readonly id: string; readonly webhookId: string },
): Promise<WebhookName> {
  const service = nameOfService(await requireService(services, caller, params.id))
  const webhookId = parseUuid<WebhookId>(params.webhookId)
  if (webhookId === null) throw refuse('services.webhook_not_found')
  const name = { ...service, webhookId }
  if ((await database.read((read) => findEndpoint(read, name))) === null) throw refuse('services.webhook_not_found')
  return name
}

export async function listWebhooks(
  { database, clock, settings }: WebhooksContext,
  service: ServiceName,
  query: PageQueryText,
) {
  const load = async (read: Read, slice: Slice) => {
    // Before the rows: a webhook that is deleted in between has a state that no row asks for.
    const health = await listQueueHealth(read, service, clock.now())
    const rows = await listEndpoints(read, service, slice)
    return rows.flatMap((row) => {
      const state = health.get(row.webhookId)
      return state === undefined ? [] : [{ row, state }]
    })
  }
  type Listed = Awaited<ReturnType<typeof load>>[number]
  return listPage(
    {
      name: 'webhooks',
      idOf: ({ row }: Listed) => row.webhookId,
      toWire: ({ row, state }: Listed) => webhookToWire(openWebhook(settings.DATA_KEY, row), state),
    },
    query,
    (slice) => database.read((read) => load(read, slice)),
    () => database.read((read) => countEndpoints(read, service)),
  )
}

export async function readWebhook(
  { clock, settings }: WebhooksContext,
  read: Read,
  name: WebhookName,
): Promise<WireWebhook> {
  const webhook = await findWebhook(read, settings.DATA_KEY, name)
  const health = await readQueueHealth(read, name, clock.now())
  if (webhook === null || health === null) throw refuse('services.webhook_not_found')
  return webhookToWire(webhook, health)
}
