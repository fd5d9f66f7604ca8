import type { Example, Examples, Making, Parts } from '../example.ts'
import { callAs, requireAs, type WorldOwner } from '../owners.ts'

/** Disabled, so that nothing is sent to it. */
const SILENT = { url: 'https://receiver.example/hooks', enabled: false }

const onWebhook: Example = { make: withWebhook() }

export const webhookExamples: Examples = {
  'webhooks.list': { make: ({ owner }) => ({ params: spare(owner) }) },
  'webhooks.create': { make: withRoom },
  'webhooks.read': onWebhook,
  'webhooks.change': { make: withWebhook(SILENT) },
  'webhooks.delete': onWebhook,
  'webhooks.regenerate_hmac_secret': { make: withWebhook({ grace_seconds: 60 }) },
  'webhooks.pause': onWebhook,
  'webhooks.resume': onWebhook,
  'webhooks.probe': onWebhook,
  'webhooks.test': onWebhook,
  'webhooks.replay': { make: withWebhook({}) },
  'webhooks.list_deliveries': onWebhook,
}

/** A webhook of the spare service; created if needed. */
function withWebhook(body?: Parts['body']): (making: Making) => Promise<Parts> {
  return async ({ owner }) => {
    const { id } = spare(owner)
    const [known] = await idsOf(owner)
    const webhookId = known ?? String((await requireAs(owner, 'POST', pathOf(owner), SILENT))['id'])
    return { params: { id, webhookId }, ...(body === undefined ? {} : { body }) }
  }
}

/** A service may have ten webhooks. */
async function withRoom({ owner }: Making): Promise<Parts> {
  const ids = await idsOf(owner)
  const [oldest] = ids
  if (ids.length >= 10 && oldest !== undefined) await callAs(owner, 'DELETE', `${pathOf(owner)}/${oldest}`)
  return { params: spare(owner), body: SILENT }
}

async function idsOf(owner: WorldOwner): Promise<readonly string[]> {
  const { items } = await requireAs(owner, 'GET', pathOf(owner))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  return (items as readonly { readonly id: string }[]).map(({ id }) => id)
}

function pathOf(owner: WorldOwner): string {
  return `/api/services/${spare(owner).id}/webhooks`
}

function spare(owner: WorldOwner): { readonly id: string } {
  return { id: owner.spareServiceId ?? '' }
}
