import { all } from '../sharing/parties.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import type { Sharing } from './sharing.ts'

/** A webhook beside the feed: live, through an outage of the endpoint, and with a manual drain. */
export async function checkDelivery(sharing: Sharing): Promise<void> {
  const endpoint = await openEndpoint()
  try {
    const webhookId = await createWebhook(sharing, endpoint)
    await deliverLive(sharing, endpoint)
    await outlastOutage(sharing, endpoint, webhookId)
    await drainByHand(sharing, webhookId)
  } finally {
    await endpoint.close()
  }
}

async function createWebhook({ checks, company }: Sharing, endpoint: Endpoint): Promise<string> {
  const { account, serviceId } = company
  const made = await account.webhooks.create(serviceId, { url: endpoint.url, events: ['field_updated'] })
  const secret = made.hmac_secret_once ?? ''
  await endpoint.expect(secret)
  const read = await account.webhooks.read(serviceId, made.id)
  checks.check('the secret of a new webhook is shown once', read.hmac_secret === `••••${secret.slice(-4)}`)
  const { http_status: status } = await account.webhooks.test(serviceId, made.id)
  checks.check('a test reaches the endpoint and verifies there', status === 200 && endpoint.taken[0]?.event === 'test')
  return made.id
}

async function deliverLive(sharing: Sharing, endpoint: Endpoint): Promise<void> {
  const { checks } = sharing
  await rename(sharing, 'Annie')
  await checks.await('she edits her name, and the event reaches the endpoint', async () =>
    isTold(sharing, endpoint, 'Annie'),
  )
}

async function outlastOutage(sharing: Sharing, endpoint: Endpoint, webhookId: string): Promise<void> {
  const { checks, company } = sharing
  const { account, serviceId } = company
  const health = async () => (await account.webhooks.read(serviceId, webhookId)).health
  endpoint.isBroken = true
  await rename(sharing, 'Nan')
  await checks.await('an endpoint that fails once is parked', async () => (await health()).state === 'bad')
  await rename(sharing, 'Anna')
  await checks.await('later events wait, the newest of each field', async () => {
    const { backlog_count: count, last_error: error } = await health()
    return count === 1 && error !== null
  })
  endpoint.isBroken = false
  await account.webhooks.probe(serviceId, webhookId)
  await checks.await('after a probe it is running again', async () => (await health()).state === 'running')
  checks.check('the endpoint gets the events that waited', await isTold(sharing, endpoint, 'Anna'))
  const kinds = (await all(account.webhooks.deliveries(serviceId, webhookId))).map(({ kind }) => kind)
  checks.check('its log lists every attempt', kinds.toReversed().join() === 'test,live,live,probe')
}

async function drainByHand(sharing: Sharing, webhookId: string): Promise<void> {
  const { checks, company } = sharing
  const { account, service, serviceId } = company
  await account.webhooks.pause(serviceId, webhookId)
  await rename(sharing, 'Anna')
  await checks.await('a paused webhook queues events', async () => {
    const { health } = await account.webhooks.read(serviceId, webhookId)
    return health.backlog_count === 1
  })
  const drained = await all(service.changes.drain({ webhookId }))
  checks.check(
    'its backlog can be drained through the API',
    drained.map(({ event }) => event).join() === 'field_updated',
  )
  const plain = await all(service.changes.drain())
  checks.check(
    'the plain feed has the same event with the same id',
    plain.some(({ id }) => id === drained[0]?.id),
  )
  await account.webhooks.delete(serviceId, webhookId)
  checks.check('the webhook is deleted', (await all(account.webhooks.list(serviceId))).length === 0)
}

async function rename({ person }: Sharing, name: string): Promise<void> {
  await person.app.contactData.put(person.field('first_name'), name)
}

/** Whether the last event at the endpoint opens to this name. */
async function isTold({ company: { service, key } }: Sharing, { taken }: Endpoint, name: string): Promise<boolean> {
  const last = taken.at(-1)
  if (last?.event !== 'field_updated' || !('slug' in last) || last.slug !== 'name') return false
  return (await service.values.decryptValue(last, 'text', key)).value === name
}
