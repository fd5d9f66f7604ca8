import { demand } from './contact-data.ts'
import type { Shop } from './shops.ts'

export function webhooksPath({ service }: Pick<Shop, 'service'>): string {
  return `/api/services/${service.serviceId}/webhooks`
}

/** A webhook of the shop, by its portal: the answer of its creation, and where it is read and changed. */
export async function openWebhook(
  shop: Pick<Shop, 'portal' | 'service'>,
  settings: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>> & { readonly id: string; readonly path: string }> {
  const made = await demand(shop.portal('POST', webhooksPath(shop), { body: settings }), 201)
  const id = String(made['id'])
  return { ...made, id, path: `${webhooksPath(shop)}/${id}` }
}
