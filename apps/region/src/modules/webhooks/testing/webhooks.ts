import type { ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type { WebhookName } from '../../feed/index.ts'

/** The durable ids of the events in these deliveries. */
export function idsOf(received: readonly { readonly eventId: string }[]): readonly string[] {
  return received.map(({ eventId }) => eventId)
}

/** So many events with the default members, for `service.append`. */
export function events(count: number): readonly object[] {
  return Array.from({ length: count }, () => ({}))
}

interface Owner {
  readonly serviceId: ServiceId
  readonly company: { readonly companyId: UserId }
}

export function nameOf({ serviceId, company: { companyId } }: Owner, webhook: { readonly id: string }): WebhookName {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the route that made it answered this id
  return { companyId, serviceId, webhookId: webhook.id as WebhookId }
}
