import { answers, getAt, setAt } from '../hostile-server/edit.ts'
import { weakPublicKey } from '../hostile-server/operator.ts'
import type { Lie } from '../hostile-server/proxy.ts'
import {
  button,
  cardOf,
  connect,
  door,
  giveLater,
  logIn,
  openAndSave,
  reconnect,
  save,
  show,
  signInAt,
  signInWithProof,
  us,
  type PageLie,
} from './hostile-acts.ts'
import { type HostileStage, PASSCODE, reopen, unlockAgain } from './hostile-stage.ts'

const PARAMS = /^\/api\/session\/params$/
const KEYS = /^\/api\/profile\/keys$/
const ACCOUNT = /^\/api\/account$/
const LIST = /^\/api\/company-connections$/
const ONE = /^\/api\/company-connections\/[\w-]{36}$/
const LOOKUP = /^\/api\/company-connections\/lookup\//
const AUTHORIZE = /^\/oauth2\/authorize$/
const DEVICES = /^\/api\/account\/trusted-devices$/
const CARDS = /^\/api\/customer\/2fa\/challenges$/

const UNSAFE_PASSWORD = 'The server wants your password to be used in an unsafe way, so nothing was sent.'
const NOT_YOUR_KEY = 'The server answered with something else than your key, so nothing was opened.'
const NOT_AGREED = 'The server answered with something that this device did not agree to, so nothing was sent.'
const KEY_CHANGED = 'The key of this company is another one than this device knows, so nothing was sent.'
const NOT_MADE = 'The server shows a connection that none of your devices made, so nothing was sent.'
const OTHERWISE = 'The company asks for something else now than you were shown, so nothing was sent.'
const STRANGE = 'The server asks this device to sign something that it should not, so nothing was signed.'

const ofMara = (stage: HostileStage, path: string, change: unknown): Lie =>
  answers('GET', LIST, {
    'connections.*': (connection: unknown) =>
      getAt(connection, 'id') === stage.connectionId ? setAt(connection, path.split('.'), change) : connection,
  })

/** One more connection in the list: Mara's own with these members. */
const added = (stage: HostileStage, changes: Readonly<Record<string, unknown>>): Lie =>
  answers('GET', LIST, {
    connections: (all: unknown) => {
      const list: readonly unknown[] = Array.isArray(all) ? all : []
      const own = list.find((connection) => getAt(connection, 'id') === stage.connectionId)
      return typeof own === 'object' ? [...list, { ...own, ...changes }] : list
    },
  })

const isNote =
  (change: Readonly<Record<string, unknown>>) =>
  (row: unknown): unknown =>
    getAt(row, 'slug') === 'note' && typeof row === 'object' ? { ...row, ...change } : row

/** While the person signs in. */
export const loginPageLies: readonly PageLie[] = [
  ...(
    [
      ['a password needs little memory', 'kdf.memory_kib', 1024],
      ['a password needs one pass', 'kdf.passes', 1],
      ['a password needs another algorithm', 'kdf.alg', 'pbkdf2'],
      ['a password has a short salt', 'kdf.salt', 'c2hvcnQ='],
      ['a password needs all memory of the device', 'kdf.memory_kib', 2 ** 24],
      ['a password needs parameters of another kind', 'kdf', [1, 2, 3]],
    ] as const
  ).map(([name, member, value]): PageLie => ({
    name,
    server: door,
    lie: () => answers('GET', PARAMS, { [member]: value }),
    act: logIn,
    words: UNSAFE_PASSWORD,
  })),
  {
    name: 'the wrapped key is that of another account',
    server: us,
    lie: ({ foreignWrap }) => answers('GET', KEYS, { encrypted_private_key: foreignWrap }),
    act: logIn,
    words: 'That did not open your data.',
  },
  {
    name: 'the wrapped key is for another purpose',
    server: us,
    lie: () =>
      answers('GET', KEYS, {
        'encrypted_private_key.iv': (iv: unknown) => {
          const bytes = Buffer.from(String(iv), 'base64')
          bytes[11] = 2
          return bytes.toString('base64')
        },
      }),
    act: logIn,
    words: NOT_YOUR_KEY,
  },
  {
    name: 'the wrapped key is a text',
    server: us,
    lie: () => answers('GET', KEYS, { encrypted_private_key: 'x' }),
    act: logIn,
    words: NOT_YOUR_KEY,
  },
  {
    name: 'the wrapped key has five megabytes',
    server: us,
    lie: () => answers('GET', KEYS, { 'encrypted_private_key.data': 'A'.repeat(5_000_000) }),
    act: logIn,
    words: NOT_YOUR_KEY,
  },
  {
    name: 'the region is at an address of another operator',
    server: door,
    lie: () => answers('POST', /^\/api\/session$/, { api_url: 'https://region.evil.example' }),
    act: logIn,
    words: 'Sealpost cannot be reached.',
  },
]

/** In an open app. */
export const openPageLies: readonly PageLie[] = [
  {
    name: 'the account of a person is a company',
    server: us,
    lie: () => answers('GET', ACCOUNT, { user_type: 'company' }),
    act: async (_, page, tell) => {
      tell()
      await unlockAgain(page)
    },
    words: NOT_AGREED,
  },
  {
    name: 'the own public key is that of the operator',
    server: us,
    lie: ({ operator }) => answers('GET', ACCOUNT, { public_key: operator.publicKey }),
    act: openAndSave,
    words: NOT_AGREED,
  },
  {
    name: 'the key of a connected company is that of the operator',
    server: us,
    lie: (stage) => ofMara(stage, 'services.0.public_key', stage.operator.publicKey),
    act: save,
    words: KEY_CHANGED,
  },
  {
    name: 'there is one more connection',
    server: us,
    lie: (stage) => added(stage, { id: '019a0000-0000-7000-8000-00000000ffff', device_record: undefined }),
    act: save,
    words: NOT_MADE,
  },
  {
    name: 'the record of a connection is that of another account',
    server: us,
    lie: (stage) => ofMara(stage, 'device_record', stage.records.foreign),
    act: save,
    words: NOT_MADE,
  },
  {
    name: 'the record of a connection is an older one',
    server: us,
    lie: (stage) => ofMara(stage, 'device_record', stage.records.older),
    act: save,
    words: 'The server shows an older state of a connection than this device knows, so nothing was sent.',
  },
  {
    name: 'an ended connection still exists',
    server: us,
    lie: (stage) => added(stage, { id: stage.endedId, device_record: stage.records.ended }),
    act: save,
    words: 'The server shows a connection that you have ended, so nothing was sent.',
  },
  {
    name: 'a company follows a value that it was never given',
    server: us,
    lie: (stage) => ofMara(stage, 'services.0.mappings.0.slug', 'note'),
    act: save,
    words: 'The server says that a company follows this value, and you never gave it, so nothing was sent.',
  },
  {
    name: 'the company of a known code has another key',
    server: us,
    lie: ({ operator }) => answers('GET', LOOKUP, { public_key: operator.publicKey }),
    act: reconnect,
    words: KEY_CHANGED,
  },
  {
    name: 'the key of a new company is too short',
    server: us,
    lie: () => answers('GET', LOOKUP, { public_key: weakPublicKey() }),
    act: connect,
    words: NOT_AGREED,
  },
  {
    name: 'the code belongs to another company',
    server: us,
    lie: () => answers('GET', LOOKUP, { 'company.share_code': 'AAAAAA' }),
    act: connect,
    words: NOT_AGREED,
  },
  {
    name: 'one copy becomes every change, after the person has seen the page',
    server: us,
    lie: () => answers('GET', LOOKUP, { 'request_fields.*': isNote({ one_time: false }) }),
    act: connect,
    words: OTHERWISE,
  },
  {
    name: 'a field means something else, after the person has seen the page',
    server: us,
    lie: () => answers('GET', LOOKUP, { 'request_fields.*': isNote({ label: 'Your PIN' }) }),
    act: connect,
    words: OTHERWISE,
  },
  {
    name: 'a later request becomes every change, after the person has seen the page',
    server: us,
    lie: () => answers('GET', ONE, { 'services.0.request_fields.*': isNote({ one_time: false }) }),
    act: giveLater,
    words: OTHERWISE,
  },
  {
    name: 'the key of the company is that of the operator when the person gives more',
    server: us,
    lie: ({ operator }) => answers('GET', ONE, { 'services.0.public_key': operator.publicKey }),
    act: giveLater,
    words: KEY_CHANGED,
  },
  {
    name: 'the browser goes on at another place after a consent',
    server: door,
    lie: () => answers('POST', AUTHORIZE, { redirect_to: 'https://evil.example/callback?code=x' }),
    act: signInAt,
    words: 'The way back leads to another place than the one that was asked for.',
  },
  {
    name: 'the browser runs a script after a consent',
    server: door,
    lie: () => answers('POST', AUTHORIZE, { redirect_to: 'javascript:alert(1)' }),
    act: signInAt,
    words: 'The way back leads to another place than the one that was asked for.',
  },
  {
    name: 'the challenge of a consent is the id of a sign-in',
    server: door,
    lie: () => answers('GET', AUTHORIZE, { assertion_challenge: '019a0000-0000-7000-8000-00000000aaaa' }),
    act: signInWithProof,
    words: STRANGE,
  },
  {
    name: 'the challenge of a consent is the digest of a document',
    server: door,
    lie: () => answers('GET', AUTHORIZE, { assertion_challenge: 'ab'.repeat(32) }),
    act: signInWithProof,
    words: STRANGE,
  },
  {
    name: 'the request of an app has another shape',
    server: door,
    lie: () => answers('GET', AUTHORIZE, { claims: { all: true } }),
    act: signInWithProof,
    words: 'Something went wrong on our side.',
  },
  {
    name: 'the id of a sign-in is the digest of a document',
    server: us,
    lie: () => answers('GET', CARDS, { challenges: [cardOf('cd'.repeat(32))] }),
    act: show('/sign-ins'),
    words: STRANGE,
  },
  {
    name: 'the id of a sign-in is the challenge of a consent',
    server: us,
    lie: () => answers('GET', CARDS, { challenges: [cardOf('A'.repeat(43))] }),
    act: show('/sign-ins'),
    words: STRANGE,
  },
  {
    name: 'a sign-in waits that was never asked, and this device approves it',
    server: us,
    lie: () => answers('GET', CARDS, { challenges: [cardOf('019a0000-0000-7000-8000-00000000bbbb')] }),
    act: async (_, page, tell) => {
      tell()
      await reopen(page)
      await page.getByLabel('Your passcode').fill(PASSCODE)
      await button(page, 'Approve').click()
    },
    words: 'This request is not here any more.',
  },
  {
    name: 'this device is not one of the person',
    server: us,
    lie: () => answers('GET', DEVICES, { items: [] }),
    act: show('/settings/devices'),
    words: 'The server’s list leaves out this device, although it is set up.',
  },
  {
    name: 'the devices are a number',
    server: us,
    lie: () => answers('GET', DEVICES, { items: 7 }),
    act: show('/settings/devices'),
    words: 'Something went wrong on our side.',
  },
]
