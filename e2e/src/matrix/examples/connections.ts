import { waitUntil } from '@sealpost/testkit'
import type { Examples, Making, Parts } from '../example.ts'
import { callAs, requireAs, newPerson } from '../owners.ts'
import { shareCodeOf, type World, type WorldOwner } from '../world.ts'

const MISSING = '019a0000-0000-7000-8000-00000000dead'

export const connectionExamples: Examples = {
  'connections.read': { make: withConnection },
  'connections.end': { make: withConnection },
  'connections.read_file': {
    make: async (making) => {
      const { params } = await withConnection(making)
      return { params: { ...params, serviceFieldId: MISSING } }
    },
    // The file is missing: this refusal proves that the caller passed the gates.
    answers: () => ({ status: 404, key: 'company_data.file_not_found' }),
  },
  'connections.request': {
    make: async ({ world: { sites } }) => {
      const guest = await newPerson(sites, 'a guest', 'us')
      return { body: { share_code: await shareCodeOf(guest), message: 'Made for a cell' } }
    },
  },

  'services.list_connections': { make: ({ owner }) => ({ params: { id: owner.spareServiceId ?? '' } }) },
  'services.batch_keys': {
    make: ({ owner }) => ({ params: { id: owner.spareServiceId ?? '' }, body: { user_ids: [] } }),
  },

  'keys.read': {
    make: async ({ world }) => ({ params: { shareCode: await shareCodeOf(world.visitor) } }),
    notObjects: ['shareCode'],
  },
  'keys.read_service': {
    make: async ({ world }) => {
      const [companyCode = '', serviceCode = ''] = (await codeOf(world.owner)).split('/')
      return { params: { companyCode, serviceCode } }
    },
    notObjects: ['companyCode', 'serviceCode'],
  },
  'keys.batch': { make: () => ({ body: { user_ids: [] } }) },
}

export async function withConnection({ world, owner }: Making): Promise<Parts> {
  return { params: { connectionId: await connectionOf(world, owner) } }
}

/** The visitor's connection with the owner's service; created again when a cell has ended it. */
async function connectionOf({ visitor }: World, owner: WorldOwner): Promise<string> {
  const { items } = await requireAs(owner, 'GET', `/api/services/${owner.serviceId}/connections`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const held = (items as readonly { readonly id: string; readonly user_id: string }[]).find(
    ({ user_id }) => user_id === visitor.userId,
  )
  if (held !== undefined) return held.id
  let id = ''
  const body = { code: await codeOf(owner), decisions: [] }
  // Until the end has reached the visitor's region, it refuses a second connection.
  await waitUntil('the visitor is connected', 20_000, async () => {
    const reply = await callAs(visitor, 'POST', '/api/company-connections', body)
    id = String(reply.body['id'])
    return reply.status === 201
  })
  return id
}

async function codeOf(owner: WorldOwner): Promise<string> {
  const { share_code } = await requireAs(owner, 'GET', `/api/services/${owner.serviceId}`)
  return `${await shareCodeOf(owner)}/${String(share_code)}`
}
