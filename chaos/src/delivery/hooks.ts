import { type Kind, KINDS } from '../roles/events.ts'
import { demand, inTurns, type SiteService } from '../roles/services.ts'
import { type Receivers, secretOf, type Temper } from './receivers.ts'

/** One webhook with what it was told to take. */
export interface Hook {
  /** Its place among all, and the path of its receiver. */
  readonly number: number
  readonly service: number
  readonly webhookId: string
  readonly kinds: readonly Kind[]
  readonly temper: Temper
}

const AT_ONCE = 4

export async function createHooks(
  services: readonly SiteService[],
  {
    hooksPerService: perService,
    temperOf,
  }: { readonly hooksPerService: number; readonly temperOf: (hook: number) => Temper },
  receivers: Pick<Receivers, 'url'>,
): Promise<readonly Hook[]> {
  const wanted = services.flatMap((service, place) =>
    Array.from({ length: perService }, (_, own) => ({
      service,
      number: place * perService + own,
      kinds: kindsOf(own, perService, place % 5 === 0),
    })),
  )
  return inTurns(wanted, AT_ONCE, async ({ service, number, kinds }) => {
    const body = {
      url: receivers.url(number),
      // None named are all.
      events: kinds.length === KINDS.length ? [] : kinds,
      format: number % 4 === 3 ? 'xml' : 'json',
      encrypt_payload: number % 7 === 6,
      enabled: true,
      ...authOf(number),
    }
    const path = `/api/services/${service.serviceId}/webhooks`
    const made = await demand(service.portal('POST', path, { body }))
    return { number, service: service.number, webhookId: String(made['id']), kinds, temper: temperOf(number) }
  })
}

/** They share the kinds, so that an event goes to one or two of them; the first one takes everything in some services. */
function kindsOf(own: number, perService: number, hasCollector: boolean): readonly Kind[] {
  if (own === 0 && hasCollector) return KINDS
  const share = KINDS.filter((_, place) => place % (perService - 1) === own - 1)
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
