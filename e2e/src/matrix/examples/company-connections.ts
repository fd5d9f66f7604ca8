import { waitUntil } from '@sealpost/testkit'
import { isKnown } from '../callers.ts'
import type { Example, Examples, Making } from '../example.ts'
import { addDataClient, addService, requireAs, requestToken, type WorldOwner } from '../owners.ts'
import { membersOf, send } from '../send.ts'
import { shareCodeOf, type World } from '../world.ts'

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000'
const DEADLINE_MS = 15_000
const CONNECTIONS = '/api/company-connections'
const REQUESTS = '/api/customer/connect-requests'
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const personsOnly: NonNullable<Example['answers']> = ({ caller }) =>
  isKnown(caller) && caller.is.includes('person') ? undefined : { status: 403, key: 'company_connections.persons_only' }

const OF_ACCOUNT = { ofAccount: true } as const

export const companyConnectionExamples: Examples = {
  'company_connections.look_up_service': {
    make: async (making) => {
      const [companyCode = '', serviceCode = ''] = (await codeFor(making)).split('/')
      return { params: { companyCode, serviceCode } }
    },
    notObjects: ['companyCode', 'serviceCode'],
  },
  'company_connections.look_up_company': {
    make: async ({ world }) => ({ params: { companyCode: await shareCodeOf(world.owner) } }),
    answers: () => ({ status: 400, key: 'profile.company_code_requires_service' }),
    notObjects: ['companyCode'],
  },
  // No request field of the matrix has a plugin: the refusal shows that the caller passed the gates.
  'company_connections.create_offer_pass': {
    make: async (making) => ({ body: { code: await codeFor(making), slug: 'quote' } }),
    answers: () => ({ status: 404, key: 'plugin.not_found' }),
  },
  'company_connections.create_pass': {
    ...OF_ACCOUNT,
    make: async (making) => ({ params: { id: await connectionOf(making) }, body: { slug: 'quote' } }),
    answers: () => ({ status: 404, key: 'plugin.not_found' }),
  },
  'company_connections.connect': {
    make: async (making) => {
      await disconnect(making)
      return { body: { code: await codeFor(making), decisions: [] } }
    },
  },
  'company_connections.read': {
    ...OF_ACCOUNT,
    make: async (making) => ({ params: { id: await connectionOf(making) } }),
  },
  'company_connections.disconnect': {
    ...OF_ACCOUNT,
    make: async (making) => ({ params: { id: await connectionOf(making) } }),
  },
  'company_connections.change_mappings': {
    ...OF_ACCOUNT,
    make: async (making) => {
      const id = await connectionOf(making)
      return { params: { id, serviceLinkId: id }, body: { decisions: [] } }
    },
  },
  'company_connections.provide_consent': {
    ...OF_ACCOUNT,
    make: async (making) => ({ params: { id: await connectionOf(making) }, body: { decisions: [] } }),
  },
  'company_connections.decline_consent': {
    ...OF_ACCOUNT,
    make: async (making) => ({ params: { id: await connectionOf(making) }, body: {} }),
  },
  'company_connections.read_card_photo': {
    ...OF_ACCOUNT,
    make: async (making) => {
      const id = await connectionOf(making)
      return { params: { id, photoId: await photoOf(making, id) } }
    },
    notObjects: ['photoId'],
  },
  'connect_requests.list_received': { answers: personsOnly },
  'connect_requests.accept': {
    make: async (making) => ({ params: { id: await requestTo(making) }, body: { decisions: [] } }),
    answers: personsOnly,
  },
  'connect_requests.reject': {
    make: async (making) => ({ params: { id: await requestTo(making) }, body: {} }),
    answers: personsOnly,
  },
}

/** All callers are customers of the world's owner, who is a customer of the company abroad: no account connects to itself. */
export function hostOf({ world, owner }: Making): WorldOwner {
  if (owner.userId !== world.owner.userId) return world.owner
  const abroad = world.callers.filter(isKnown).find((caller) => caller.owner.home !== owner.home)?.owner
  if (abroad === undefined) throw new Error('the world has no company abroad')
  return abroad
}

async function codeFor(making: Making): Promise<string> {
  const host = hostOf(making)
  const service = await requireAs(host, 'GET', `/api/services/${host.serviceId}`)
  return `${await shareCodeOf(host)}/${String(service['share_code'])}`
}

async function findConnection(making: Making): Promise<string | null> {
  const { connections } = await requireAs(making.owner, 'GET', CONNECTIONS)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const all = connections as readonly { readonly id: string; readonly services: readonly { service_id: string }[] }[]
  const { serviceId } = hostOf(making)
  return all.find(({ services }) => services.some((link) => link.service_id === serviceId))?.id ?? null
}

/** The owner's connection with its host; created if needed. */
export async function connectionOf(making: Making): Promise<string> {
  const known = await findConnection(making)
  if (known !== null) return known
  const body = { code: await codeFor(making), decisions: [] }
  return String((await requireAs(making.owner, 'POST', CONNECTIONS, body))['id'])
}

async function disconnect(making: Making): Promise<void> {
  const id = await findConnection(making)
  if (id !== null) await requireAs(making.owner, 'DELETE', `${CONNECTIONS}/${id}`)
}

/** A photo of the host's card, as the connection lists it. */
async function photoOf(making: Making, id: string): Promise<string> {
  const host = hostOf(making)
  let photoId = await photoOfCard(making.owner, id)
  if (photoId !== null) return photoId
  const photo = await requireAs(host, 'POST', '/api/photos', { file: PIXEL })
  await requireAs(host, 'POST', `/api/services/${host.serviceId}/share-photos`, { photo_id: photo['id'] })
  await waitUntil('the card has a photo', DEADLINE_MS, async () => {
    photoId = await photoOfCard(making.owner, id)
    return photoId !== null
  })
  return photoId ?? UNKNOWN_ID
}

async function photoOfCard(owner: WorldOwner, id: string): Promise<string | null> {
  const { services } = await requireAs(owner, 'GET', `${CONNECTIONS}/${id}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const [link] = services as readonly { readonly photo_ids: readonly string[] }[]
  return link?.photo_ids[0] ?? null
}

/** A request of a new service, because a rejected service must wait. Companies get no requests. */
async function requestTo({ world, owner }: Making): Promise<string> {
  if (owner.type === 'company') return UNKNOWN_ID
  const id = await invite(world, await shareCodeOf(owner))
  await waitUntil('the request has arrived', DEADLINE_MS, async () => {
    return JSON.stringify(await requireAs(owner, 'GET', `${REQUESTS}?limit=500`)).includes(id)
  })
  return id
}

async function invite({ sites, owner: host }: World, shareCode: string): Promise<string> {
  const serviceId = await addService(sites, host.home, host.userId, 'Inviting')
  const token = await requestToken(sites, await addDataClient(host, serviceId))
  const answer = await send({
    method: 'POST',
    url: `${host.session.apiUrl}/api/company-data/connect-requests`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ share_code: shareCode }),
  })
  if (answer.status !== 201) throw new Error(`no request was sent: ${answer.status} ${answer.text}`)
  return String(membersOf(answer)['request_id'])
}
