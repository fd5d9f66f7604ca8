import { APP_ORIGIN } from '@sealpost/testkit'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { answers, getAt } from '../edit.ts'
import type { HostileServer } from '../proxy.ts'
import type { Stage } from '../stage.ts'
import { eu, type LieCase, type Refusal, sealing } from './lie-case.ts'

const PARAMS = /^\/api\/session\/params$/
const OWN_KEY = /^\/api\/account-key$/
const SERVICE_KEY = /^\/api\/services\/[\w-]{36}\/private-key$/

const door = (stage: Stage): HostileServer => stage.door
const vault = (refusal: string): Refusal => ({ name: 'VaultError', refusal })

/** The device asks for the parameters and derives the keys of the password. */
async function derive(stage: Stage): Promise<unknown> {
  const { email, password } = stage.login
  const url = `${stage.door.url}/api/session/params?email=${encodeURIComponent(email)}`
  const answer = await fetch(url, { headers: { origin: APP_ORIGIN } })
  const params: unknown = JSON.parse(await answer.text())
  return deriveLogin(password, getAt(params, 'kdf'))
}

/** The company's portal opens the private key of the account. */
async function openOwnKey(stage: Stage): Promise<unknown> {
  const { encrypted_private_key: wrapped } = await stage.account().readKey()
  return openPrivateKey(wrapped, stage.login.wrapKey)
}

const openServiceKey = (stage: Stage) => stage.account().services.openKey(stage.serviceId, stage.login.passphrase)

/** Parameters of a password and wrapped keys. */
export const loginLies: readonly LieCase[] = [
  {
    name: 'a password needs little memory',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.memory_kib': 1024 }),
    act: derive,
    refused: vault('too_weak'),
  },
  {
    name: 'a password needs one pass',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.passes': 1 }),
    act: derive,
    refused: vault('too_weak'),
  },
  {
    name: 'a password needs another algorithm',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.alg': 'pbkdf2' }),
    act: derive,
    refused: vault('kdf_invalid'),
  },
  {
    name: 'a password has a short salt',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.salt': 'c2hvcnQ=' }),
    act: derive,
    refused: vault('kdf_invalid'),
  },
  {
    name: 'a password needs all memory of the device',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.memory_kib': 2 ** 24 }),
    act: derive,
    refused: vault('too_costly'),
  },
  {
    name: 'the recovery key is the account key',
    server: eu,
    lie: ({ login }) => answers('GET', OWN_KEY, { encrypted_private_key: login.recoveryWrap }),
    act: openOwnKey,
    refused: vault('wrong_purpose'),
  },
  {
    name: 'the recovery key is the account key, with the mark of the account key',
    server: eu,
    lie: ({ login }) => {
      const iv = Buffer.from(login.recoveryWrap.iv, 'base64')
      iv[11] = 1
      return answers('GET', OWN_KEY, {
        encrypted_private_key: { ...login.recoveryWrap, iv: iv.toString('base64') },
      })
    },
    act: openOwnKey,
    refused: vault('wrong_key'),
  },
  {
    name: 'the wrapped account key is damaged',
    server: eu,
    lie: () =>
      answers('GET', OWN_KEY, { 'encrypted_private_key.data': (data: unknown) => `AAAA${String(data).slice(4)}` }),
    act: openOwnKey,
    refused: vault('wrong_key'),
  },
  {
    name: 'the wrapped key of a service is damaged',
    server: eu,
    lie: () =>
      answers('GET', SERVICE_KEY, { 'encrypted_private_key.data': (data: unknown) => `AAAA${String(data).slice(4)}` }),
    act: openServiceKey,
    refused: sealing('wrong_passphrase'),
  },
  {
    name: 'the passphrase of a service needs few iterations',
    server: eu,
    lie: () => answers('GET', SERVICE_KEY, { 'encrypted_private_key.iter': 10 }),
    act: openServiceKey,
    refused: sealing('too_weak'),
  },
  {
    name: 'the passphrase of a service needs endless iterations',
    server: eu,
    lie: () => answers('GET', SERVICE_KEY, { 'encrypted_private_key.iter': 2_000_000_000 }),
    act: openServiceKey,
    refused: sealing('too_costly'),
  },
]
