import { answers, getAt, setAt } from '../hostile-server/edit.ts'
import type { Lie } from '../hostile-server/proxy.ts'
import { go } from './acts.ts'
import {
  button,
  cardOf,
  connect,
  connectByLink,
  door,
  giveLater,
  linkOf,
  logIn,
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
const NOT_ANNOUNCED = 'The server shows another key for this company than its link says, so nothing was sent.'
const LOOKUP = /^\/api\/company-connections\/lookup\//
const AUTHORIZE = /^\/oauth2\/authorize$/
const DEVICES = /^\/api\/account\/trusted-devices$/
const CARDS = /^\/api\/customer\/2fa\/challenges$/

const UNSAFE_PASSWORD = 'The server wants your password to be used in an unsafe way, so nothing was sent.'
const NOT_AGREED = 'The server answered with something that this device did not agree to, so nothing was sent.'
const KEY_CHANGED = 'The key of this company is another one than this device knows, so nothing was sent.'
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

// Each act of the app has a lie here. What else the SDK finds is in `hostile-server/lies`, and its words are in the tests of
// the app's `problem-text.ts`.

/** While the person signs in. */
export const loginPageLies: readonly PageLie[] = [
  {
    name: 'a password needs little memory',
    server: door,
    lie: () => answers('GET', PARAMS, { 'kdf.memory_kib': 1024 }),
    act: logIn,
    words: UNSAFE_PASSWORD,
  },
  {
    name: 'the wrapped key is that of another account',
    server: us,
    lie: ({ foreignWrap }) => answers('GET', KEYS, { encrypted_private_key: foreignWrap }),
    act: logIn,
    words: 'That did not open your data.',
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
    name: 'the key of a connected company is that of the operator',
    server: us,
    lie: (stage) => ofMara(stage, 'services.0.public_key', stage.operator.publicKey),
    act: save,
    words: KEY_CHANGED,
  },
  {
    name: 'an ended connection still exists',
    server: us,
    lie: (stage) => added(stage, { id: stage.ended.id, device_record: stage.ended.record }),
    act: save,
    words: 'The server shows a connection that you have ended, so nothing was sent.',
  },
  {
    name: 'the first key that a company has is that of the operator, and its link says another one',
    server: us,
    lie: (stage) => answers('GET', LOOKUP, { public_key: stage.operator.publicKey }),
    act: async (stage, page, tell) => {
      tell()
      await go(page, linkOf(stage))
    },
    words: NOT_ANNOUNCED,
  },
  {
    name: 'the key of the link becomes that of the operator, after the person has seen the page',
    server: us,
    lie: (stage) => answers('GET', LOOKUP, { public_key: stage.operator.publicKey }),
    act: connectByLink,
    words: NOT_ANNOUNCED,
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
