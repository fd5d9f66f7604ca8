import type { Examples, Making, Parts } from '../example.ts'
import { callAs, requireAs, sealTo, type WorldOwner } from '../owners.ts'
import { shareCodeOf } from '../world.ts'

export const accountExamples: Examples = {
  'account.change_profile': { make: ({ owner }) => ({ body: { display_name: owner.name } }) },
  // The stored bundle: keys never change.
  'account.store_profile_keys': {
    make: ({ owner }) => ({
      body: { public_key: owner.publicKey, encrypted_private_key: owner.encryptedPrivateKey },
    }),
  },
  'recovery.store_copy': {
    make: async ({ owner }) => ({ body: await copyBody(owner) }),
  },
  'recovery.request_code': { make: () => ({ body: {} }) },
  // A wrong code: a right one would need a mail for every cell.
  'recovery.open_copy': {
    make: async ({ owner }) => ({
      body: { copy_id: await copyOf(owner), auth_verifier: owner.login.authVerifier, code: '000000' },
    }),
    answers: () => ({ status: 400, key: 'request.invalid' }),
  },
  'delegates.create': {
    make: async ({ world, owner }) => {
      await letOut(owner, world.visitor)
      return { body: await visitorBody(world.visitor, owner) }
    },
  },
  'delegates.read': { make: async (making) => ({ params: { id: await visitorOf(making) } }) },
  'delegates.change': {
    make: async (making) => ({
      params: { id: await visitorOf(making) },
      body: { role: 'operator', services: [making.owner.serviceId] },
    }),
  },
  'delegates.delete': { make: async (making) => ({ params: { id: await visitorOf(making) } }) },
  'delegates.hand_over_key': {
    make: async (making): Promise<Parts> => ({
      params: { id: await visitorOf(making), serviceId: making.owner.serviceId ?? '' },
      body: { sealed: await sealTo(making.world.visitor.publicKey, 'a passphrase') },
    }),
  },
}

async function copyBody(owner: WorldOwner): Promise<Readonly<Record<string, unknown>>> {
  return { kind: 'service_passphrase', ref_id: 'matrix', sealed: await sealTo(owner.publicKey, 'a passphrase') }
}

async function copyOf(owner: WorldOwner): Promise<string> {
  return String((await requireAs(owner, 'POST', '/api/account/recovery-copies', await copyBody(owner)))['id'])
}

async function visitorBody(visitor: WorldOwner, owner: WorldOwner): Promise<Readonly<Record<string, unknown>>> {
  return { share_code: await shareCodeOf(visitor), role: 'operator', services: [owner.serviceId] }
}

/** The id of the visitor among the delegates of the owner; adds the visitor if needed. */
async function visitorOf({ world: { visitor }, owner }: Making): Promise<string> {
  await callAs(owner, 'POST', '/api/delegates', await visitorBody(visitor, owner))
  const id = await findDelegate(owner, visitor)
  if (id === null) throw new Error(`${owner.name} could not add the visitor as a delegate`)
  return id
}

async function letOut(owner: WorldOwner, visitor: WorldOwner): Promise<void> {
  const id = await findDelegate(owner, visitor)
  if (id !== null) await requireAs(owner, 'DELETE', `/api/delegates/${id}`)
}

async function findDelegate(owner: WorldOwner, visitor: WorldOwner): Promise<string | null> {
  const { items } = await requireAs(owner, 'GET', '/api/delegates')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const all = items as readonly { readonly id: string; readonly user_id: string }[]
  return all.find(({ user_id: userId }) => userId === visitor.userId)?.id ?? null
}
