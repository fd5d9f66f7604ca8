import { answers } from '../edit.ts'
import { weakPublicKey } from '../operator.ts'
import type { Stage } from '../stage.ts'
import { eu, keyChanged, type LieCase, newSecret, sealing, untrusted, us } from './lie-case.ts'

const LOOKUP = /^\/api\/company-connections\/lookup\//
const OTHER_ID = '019a0000-0000-7000-8000-00000000dddd'

/** Ana's device has been connected with the service; she ends it and connects again. */
async function reconnect(stage: Stage): Promise<unknown> {
  const app = stage.app()
  const again = await app.connect(stage.code, { name: { value: newSecret() } }).catch((error: unknown) => {
    // With the honest server the connection exists, and the call ends there, after sealing.
    if (isKeyed(error) && error.key === 'company_data.already_connected') return null
    throw error
  })
  return again
}

function isKeyed(error: unknown): error is { readonly key: string } {
  return typeof error === 'object' && error !== null && 'key' in error && typeof error.key === 'string'
}

const readOfAna = async (stage: Stage) => {
  const { keys } = stage.service('none')
  await keys.read(stage.anaCode)
  return keys.read(stage.anaCode)
}

/** Public keys that a client reads by code or by id. */
export const keyLies: readonly LieCase[] = [
  {
    name: 'the service of a known code has another key',
    server: us,
    lie: ({ operator }) => answers('GET', LOOKUP, { public_key: operator.publicKey }),
    act: reconnect,
    refused: keyChanged,
  },
  {
    name: 'the service of a known code has another id and another key',
    server: us,
    lie: ({ operator }) => answers('GET', LOOKUP, { public_key: operator.publicKey, 'service.service_id': OTHER_ID }),
    act: reconnect,
    refused: keyChanged,
  },
  {
    name: 'the code belongs to another service of the company',
    server: us,
    lie: ({ operator }) => answers('GET', LOOKUP, { public_key: operator.publicKey, 'service.code': 'OTHER' }),
    act: reconnect,
    refused: untrusted('other_service'),
  },
  {
    name: 'the code belongs to another company',
    server: us,
    lie: ({ operator }) => answers('GET', LOOKUP, { public_key: operator.publicKey, 'company.share_code': 'AAAAAA' }),
    act: reconnect,
    refused: untrusted('other_service'),
  },
  {
    name: 'the key of a service is a short RSA key',
    server: us,
    lie: () => answers('GET', LOOKUP, { public_key: weakPublicKey() }),
    act: reconnect,
    refused: sealing('not_a_public_key'),
  },
  {
    name: 'the key of a service is no key',
    server: us,
    lie: () => answers('GET', LOOKUP, { public_key: 'bm8ga2V5' }),
    act: reconnect,
    refused: sealing('not_a_public_key'),
  },
  {
    name: 'the key of a share code is another one than before',
    server: eu,
    lie: ({ operator }) => {
      let reads = 0
      return answers('GET', /^\/api\/keys\/\w+$/, {
        public_key: (own: unknown) => ((reads += 1) === 1 ? own : operator.publicKey),
        public_key_sha256: (own: unknown) => (reads === 1 ? own : operator.fingerprint),
      })
    },
    act: readOfAna,
    refused: keyChanged,
  },
  {
    name: 'the key of a share code has another account id and another key',
    server: eu,
    lie: ({ operator }) => {
      let reads = 0
      return answers('GET', /^\/api\/keys\/\w+$/, {
        public_key: (own: unknown) => ((reads += 1) === 1 ? own : operator.publicKey),
        user_id: (own: unknown) => (reads === 1 ? own : OTHER_ID),
        public_key_sha256: (own: unknown) => (reads === 1 ? own : operator.fingerprint),
      })
    },
    act: readOfAna,
    refused: keyChanged,
  },
  {
    name: 'the fingerprint of a key belongs to another key',
    server: eu,
    lie: () => answers('GET', /^\/api\/keys\/\w+$/, { public_key_sha256: 'ab'.repeat(32) }),
    act: readOfAna,
    refused: keyChanged,
  },
  {
    name: 'the key of a service code is another one than before',
    server: us,
    lie: ({ operator }) =>
      answers('GET', /^\/api\/keys\/\w+\/\w+$/, {
        public_key: operator.publicKey,
        service_id: OTHER_ID,
        public_key_sha256: operator.fingerprint,
      }),
    act: (stage) => stage.app().keys.readOfService(stage.code),
    refused: keyChanged,
  },
  {
    name: 'the key of a connected customer is another one than before',
    server: eu,
    lie: ({ operator, anaId }) => answers('POST', /^\/api\/keys\/batch$/, { [`keys.${anaId}`]: operator.publicKey }),
    act: async (stage) => {
      const { keys } = stage.service('none')
      await keys.read(stage.anaCode)
      const found = await keys.readMany([stage.anaId])
      if (!found.has(stage.anaId)) throw new Error('no key of Ana')
      return found
    },
    refused: keyChanged,
  },
  {
    name: 'a key of an account that was not asked for',
    server: eu,
    lie: ({ operator, benId }) => answers('POST', /^\/api\/keys\/batch$/, { [`keys.${benId}`]: operator.publicKey }),
    act: (stage) => stage.service('none').keys.readMany([stage.anaId]),
    refused: untrusted('unasked'),
  },
  {
    name: 'the recovery key of the company is another one than before',
    server: eu,
    lie: ({ operator }) => answers('GET', /^\/api\/account\/recovery-key$/, { public_key: operator.publicKey }),
    act: async (stage) => {
      const account = stage.account(new Map([['recovery:own', stage.login.recoveryFingerprint]]))
      const made = await account.services.create({ name: 'Short-lived', admin_email: 'desk@northwind.example' })
      await account.services.delete(made.service.id)
      if (made.recovery_error instanceof Error) throw made.recovery_error
    },
    refused: keyChanged,
  },
]
