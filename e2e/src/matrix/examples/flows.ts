import type { Example, Examples, Making, Parts } from '../example.ts'
import { requireAs, type WorldOwner } from '../owners.ts'

/** A PNG of one pixel. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const UPLOAD = { file: PICTURE, original_name: 'dot.png' }

const DEFINITION = {
  entry: 'start',
  output_mode: 'data_only',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [{ key: 'start', party: 'customer', title: 'Start', elements: [] }],
  edges: [],
  constants: [],
}

const onFlow: Example = { make: ({ owner }) => withFlow(owner) }

export const flowExamples: Examples = {
  'flows.list': { make: ({ owner }) => ({ params: spare(owner) }) },
  'flows.create': { make: ({ owner }) => ({ params: spare(owner), body: { name: 'Made for a cell' } }) },
  'flows.read': onFlow,
  'flows.change': { make: withToken({ definition: DEFINITION }) },
  'flows.delete': onFlow,
  'flows.validate': onFlow,
  'flows.publish': { make: withToken({}) },
  'flows.list_versions': onFlow,
  'flows.add_asset': { make: async ({ owner }) => ({ ...(await withFlow(owner)), body: UPLOAD }) },
  'flows.list_assets': onFlow,
  'flows.delete_asset': { make: withPicture, notObjects: ['key'] },
  // A picture has no tags: this refusal proves that the caller passed the gates.
  'flows.read_tags': {
    make: withPicture,
    notObjects: ['key'],
    answers: () => ({ status: 404, key: 'flows.asset_not_found' }),
  },
  'flows.export': onFlow,
  // No archive: this refusal proves that the caller passed the gates.
  'flows.import': {
    make: ({ owner }) => ({ params: spare(owner), body: { file: 'data:application/zip;base64,AAAA' } }),
    answers: () => ({ status: 400, key: 'flows.import_invalid' }),
  },
  'company_data.read_published_flow': {
    make: async ({ owner }) => ({ params: { flowId: await publishedFlow(owner, owner.serviceId ?? '') } }),
  },
  'services.read_published_flow': {
    async make({ owner }) {
      return { params: { ...spare(owner), flowId: await publishedFlow(owner, spare(owner).id) } }
    },
  },
}

async function withFlow(owner: WorldOwner): Promise<{ params: { id: string; flowId: string } }> {
  const body = { name: 'Made for a cell', definition: DEFINITION }
  const { id } = await requireAs(owner, 'POST', pathOf(owner), body)
  return { params: { ...spare(owner), flowId: String(id) } }
}

async function withPicture({ owner }: Making): Promise<Parts> {
  const { params } = await withFlow(owner)
  const { asset_key: key } = await requireAs(owner, 'POST', `${pathOf(owner)}/${params.flowId}/assets`, UPLOAD)
  return { params: { ...params, key: String(key) } }
}

/** A body with the token of a draft. */
function withToken(body: object): (making: Making) => Promise<Parts> {
  return async ({ owner }) => {
    const { params } = await withFlow(owner)
    const { draft_token } = await requireAs(owner, 'GET', `${pathOf(owner)}/${params.flowId}`)
    return { params, body: { ...body, draft_token } }
  }
}

async function publishedFlow(owner: WorldOwner, serviceId: string): Promise<string> {
  const path = pathOf(owner, serviceId)
  const { id, draft_token } = await requireAs(owner, 'POST', path, { name: 'Published', definition: DEFINITION })
  await requireAs(owner, 'POST', `${path}/${String(id)}/publish`, { draft_token })
  return String(id)
}

function pathOf(owner: WorldOwner, serviceId = spare(owner).id): string {
  return `/api/portal/services/${serviceId}/flows`
}

function spare(owner: WorldOwner): { readonly id: string } {
  return { id: owner.spareServiceId ?? '' }
}
