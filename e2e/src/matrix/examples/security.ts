import { generateKeyPairSync, sign } from 'node:crypto'
import { logIn } from '@sealpost/testkit'
import type { Examples, Making, Parts } from '../example.ts'
import { requireAs, type WorldOwner } from '../owners.ts'

/** Valid in form and wrong in content: the callers of the matrix must stay logged in. */
const WRONG_VERIFIER = Buffer.alloc(32).toString('base64')
const NEXT_VERIFIER = Buffer.alloc(32, 1).toString('base64')
const invalid = () => ({ status: 401, key: 'session.invalid' }) as const
const wrongCode = () => ({ status: 400, key: 'request.invalid' }) as const

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let addresses = 0

export const securityExamples: Examples = {
  'account_security.enable_second_factor': {
    make: ({ owner }) => ({ body: { auth_verifier: owner.login.authVerifier } }),
  },
  'account_security.disable_second_factor': {
    make: () => ({ body: { auth_verifier: WRONG_VERIFIER, code: '000000' } }),
    answers: invalid,
  },
  'account_security.request_device_options': { make: () => ({ body: { kind: 'device_key' } }) },
  'account_security.add_device': { make: async ({ owner }) => ({ body: await deviceBody(owner) }) },
  'account_security.read_device': { make: async (making) => ({ params: { id: await deviceOf(making) } }) },
  // Added by a login of its own, which ends with the device.
  'account_security.remove_device': {
    make: async ({ world, owner }) => {
      const session = await logIn(world.sites, owner.login)
      return { params: { id: await deviceOf({ owner: { ...owner, session } }) } }
    },
  },
  'account_security.rename_device': {
    make: async (making) => ({ params: { id: await deviceOf(making) }, body: { name: 'Another name' } }),
  },
  // Of a login of its own: the callers of the matrix stay logged in.
  'account_security.end_session': {
    make: async ({ world, owner }) => ({ params: { id: (await logIn(world.sites, owner.login)).sid } }),
  },
  'account_security.change_password': {
    make: ({ owner }): Parts => ({
      body: {
        current_auth_verifier: WRONG_VERIFIER,
        auth_verifier: NEXT_VERIFIER,
        kdf: { alg: 'argon2id', memory_kib: 65_536, passes: 3, lanes: 1, salt: Buffer.alloc(16).toString('base64') },
        encrypted_private_key: owner.encryptedPrivateKey,
        ...(owner.type === 'company' ? { encrypted_recovery_key: owner.encryptedPrivateKey } : {}),
      },
    }),
    answers: invalid,
  },
  'account_security.change_email': {
    make: ({ owner }) => ({ body: { email: newAddress(), auth_verifier: owner.login.authVerifier } }),
  },
  'account_security.confirm_email': { make: () => ({ body: { code: '000000' } }), answers: wrongCode },
  'account_security.request_deletion': { make: () => ({ body: {} }) },
  'account_security.confirm_deletion': { make: () => ({ body: { code: '000000' } }), answers: wrongCode },
}

function newAddress(): string {
  addresses += 1
  return `moved-${addresses}@people.example`
}

async function deviceBody(owner: WorldOwner): Promise<Readonly<Record<string, unknown>>> {
  const path = '/api/account/trusted-devices/options'
  const { challenge } = await requireAs(owner, 'POST', path, { kind: 'device_key' })
  const signature = sign('sha256', Buffer.from(String(challenge)), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return {
    auth_verifier: owner.login.authVerifier,
    kind: 'device_key',
    name: 'Made for a cell',
    challenge,
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    signature: signature.toString('base64'),
  }
}

export async function deviceOf({ owner }: Pick<Making, 'owner'>): Promise<string> {
  const made = await requireAs(owner, 'POST', '/api/account/trusted-devices', await deviceBody(owner))
  return String(made['id'])
}
