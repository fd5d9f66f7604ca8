import { plainPng } from '@sealpost/images/testing'
import type { Examples } from '../example.ts'
import { callAs, requireAs, type WorldOwner } from '../owners.ts'

const fieldBody = { label: 'Made for a cell', type: 'text' }
const photoBody = { file: `data:image/png;base64,${plainPng(2, 2).toString('base64')}` }

export const registryExamples: Examples = {
  'registry.create_field': {
    make: async ({ owner }) => {
      await makeRoom(owner)
      return { body: fieldBody }
    },
  },
  'registry.read_field': { make: async ({ owner }) => ({ params: { id: await fieldOf(owner) } }), ofAccount: true },
  'registry.change_field': {
    make: async ({ owner }) => ({ params: { id: await fieldOf(owner) }, body: { label: 'Renamed' } }),
  },
  'registry.delete_field': { make: async ({ owner }) => ({ params: { id: await fieldOf(owner) } }) },
  'photos.add': { make: () => ({ body: photoBody }) },
  'photos.read': { make: async ({ owner }) => ({ params: { id: await photoOf(owner) } }) },
  'photos.read_file': { make: async ({ owner }) => ({ params: { id: await photoOf(owner) } }) },
  'photos.delete': { make: async ({ owner }) => ({ params: { id: await photoOf(owner) } }) },
}

async function fieldOf(owner: WorldOwner): Promise<string> {
  await makeRoom(owner)
  return String((await requireAs(owner, 'POST', '/api/contact-fields', fieldBody))['id'])
}

/** Reuses a field: the number of own fields is limited and there are many cells. */
async function makeRoom(owner: WorldOwner): Promise<void> {
  const { items } = await requireAs(owner, 'GET', '/api/contact-fields?limit=500')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const all = items as readonly { readonly id: string; readonly owner: string | null }[]
  const own = all.filter((field) => field.owner !== null)
  if (own.length < 50) return
  for (const { id } of own) await callAs(owner, 'DELETE', `/api/contact-fields/${id}`)
}

/** Reuses a photo, because decoding one starts a process. */
async function photoOf(owner: WorldOwner): Promise<string> {
  const { items } = await requireAs(owner, 'GET', '/api/photos')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const [photo] = items as readonly { readonly id: string }[]
  if (photo !== undefined) return photo.id
  return String((await requireAs(owner, 'POST', '/api/photos', photoBody))['id'])
}
