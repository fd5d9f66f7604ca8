import { requireOk } from '../calls.ts'
import { type Kind, KINDS } from '../roles/events.ts'
import { inBatches, type SiteService } from '../roles/services.ts'
import { type Receivers, secretOf, type Behaviour } from './receivers.ts'

/** A webhook and the kinds of events that it subscribes to. */
export interface SiteWebhook {
  /** Its index among all webhooks, which is also in the path of its receiver. */
  readonly number: number
  readonly service: number
  readonly webhookId: string
  readonly kinds: readonly Kind[]
  readonly behaviour: Behaviour
}

const BATCH = 4

export async function createWebhooks(
  services: readonly SiteService[],
  {
    webhooksPerService: perService,
    behaviourOf,
  }: { readonly webhooksPerService: number; readonly behaviourOf: (webhook: number) => Behaviour },
  receivers: Pick<Receivers, 'url'>,
): Promise<readonly SiteWebhook[]> {
  const wanted = services.flatMap((service, index) =>
    Array.from({ length: perService }, (_, position) => ({
      service,
      number: index * perService + position,
      kinds: kindsOf(position, perService, index % 5 === 0),
    })),
  )
  return inBatches(wanted, BATCH, async ({ service, number, kinds }) => {
    const body = {
      url: receivers.url(number),
      // An empty list subscribes to all.
      events: kinds.length === KINDS.length ? [] : kinds,
      format: number % 4 === 3 ? 'xml' : 'json',
      encrypt_payload: number % 7 === 6,
      enabled: true,
      ...authOf(number),
    }
    const path = `/api/services/${service.serviceId}/webhooks`
    const made = await requireOk(service.portal('POST', path, { body }))
    return { number, service: service.number, webhookId: String(made['id']), kinds, behaviour: behaviourOf(number) }
  })
}

/** The webhooks of a service split the kinds among them; the first one of some services subscribes to all. */
function kindsOf(position: number, perService: number, isFirstForAll: boolean): readonly Kind[] {
  if (position === 0 && isFirstForAll) return KINDS
  const share = KINDS.filter((_, index) => index % (perService - 1) === position - 1)
  return share.length === 0 ? ['document_created', 'connection_request_accepted'] : share
}

function authOf(number: number): Readonly<Record<string, string>> {
  const ways = [
    { auth_type: 'hmac', hmac_secret: secretOf(number) },
    { auth_type: 'none' },
    { auth_type: 'bearer', auth_token: 'a-token-of-chaos' },
    { auth_type: 'basic', auth_username: 'chaos', auth_password: 'a-password-of-chaos' },
    { auth_type: 'header', auth_header_name: 'x-chaos', auth_header_value: 'a-value-of-chaos' },
  ] as const
  return ways[number % ways.length] ?? ways[0]
}
