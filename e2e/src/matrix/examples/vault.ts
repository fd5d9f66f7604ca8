import type { Examples, Making } from '../example.ts'
import { callAs, requireAs, sealTo, type WorldOwner } from '../owners.ts'

/** A value of an own field; each cell writes it again, so that it may be deleted. */
export const vaultExamples: Examples = {
  'contact_data.read': { make: async ({ owner }) => ({ params: { fieldId: await filledField(owner, 'text') } }) },
  'contact_data.read_file': { make: async ({ owner }) => ({ params: { fieldId: await filledField(owner, 'photo') } }) },
  'contact_data.put': {
    make: async ({ owner }) => ({
      params: { fieldId: await ownField(owner, 'text') },
      body: { value: await valueOf(owner, 'text') },
    }),
  },
  'contact_data.delete': { make: async ({ owner }) => ({ params: { fieldId: await filledField(owner, 'text') } }) },
  'contact_data.stage_share': {
    make: async ({ world, owner }) => ({
      params: { fieldId: await ownField(owner, 'photo') },
      body: { value: await sealTo(world.owner.publicKey, PHOTO) },
    }),
  },
  'verifications.start': {
    make: async ({ owner }) => ({
      params: { fieldId: await ownField(owner, 'email') },
      body: { provider: 'platform_email' },
    }),
  },
  // A wrong code: a right one would need a mail for every cell.
  'verifications.confirm': {
    make: async (making) => ({ params: await begunVerification(making), body: { code: '000000' } }),
    answers: () => ({ status: 400, key: 'request.invalid' }),
  },
  'verifications.drop': { make: async ({ owner }) => ({ params: { fieldId: await filledField(owner, 'email') } }) },
}

const PHOTO = JSON.stringify({ full: 'data:image/jpeg;base64,/9j/4AAQSkZJRgAB' })
const TEXTS = { text: 'a text', email: 'person@example.com', photo: PHOTO } as const
type Kind = keyof typeof TEXTS

/** One per owner and type: an account may have two hundred. */
async function ownField(owner: WorldOwner, type: Kind): Promise<string> {
  const slug = `matrix_${type}`
  const find = async (): Promise<string | undefined> => {
    const { items } = await requireAs(owner, 'GET', '/api/contact-fields?limit=500')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
    const all = items as readonly { readonly id: string; readonly slug: string }[]
    return all.find((field) => field.slug === slug)?.id
  }
  const known = await find()
  if (known !== undefined) return known
  await callAs(owner, 'POST', '/api/contact-fields', { slug, label: `Matrix ${type}`, type, usertype: owner.type })
  const made = await find()
  if (made === undefined) throw new Error(`${owner.name} could not add a field of type ${type}`)
  return made
}

async function filledField(owner: WorldOwner, type: Kind): Promise<string> {
  const id = await ownField(owner, type)
  await requireAs(owner, 'PUT', `/api/contact-data/${id}`, { value: await valueOf(owner, type) })
  return id
}

async function valueOf(owner: WorldOwner, type: Kind): Promise<string> {
  return owner.type === 'company' ? TEXTS[type] : sealTo(owner.publicKey, TEXTS[type])
}

async function begunVerification({ owner }: Making): Promise<Readonly<Record<string, string>>> {
  const fieldId = await filledField(owner, 'email')
  const path = `/api/contact-data/${fieldId}/verifications`
  const begun = await requireAs(owner, 'POST', path, { provider: 'platform_email' })
  return { fieldId, id: String(begun['verification_id']) }
}
