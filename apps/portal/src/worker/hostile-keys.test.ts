import { createServiceKey } from '@sealpost/vault'
import { expect, test } from 'vitest'
import { words as german } from '../words/de/index.ts'
import { words as english } from '../words/en/index.ts'
import { createService, makeServiceKey, newKeyFile } from './commands/new-service.ts'
import {
  exportKeyFile,
  keepRecoveryCopy,
  openByKeyFile,
  openByPassphrase,
  recoverPassphrase,
  serviceKeyState,
  tryPassphrase,
} from './commands/service-key.ts'
import { MADE, openPortalKit, OTHER, outcomeOf, type PortalKit, SERVICE, serviceOf } from './testing/portal-kit.ts'

const WRAP = `GET /api/services/${SERVICE}/private-key`
const ABOUT = { name: 'Home visits', adminEmail: 'it@northwind.example', audience: 'both', shareCode: '' } as const
const COPY = '0196a8c4-5e6f-7a10-8b2c-000000000009'

function answerOf(key: PortalKit['key'], change: object = {}): object {
  const wrap = { ...key.encryptedPrivateKey, ...change }
  return { public_key: key.publicKey, encrypted_private_key: wrap, sealed_passphrase: null }
}

/** What the pages would say, in both languages. */
function expectWords(key: unknown): void {
  for (const { refusals } of [english, german]) expect(Object.keys(refusals)).toContain(key)
}

async function isOpen({ context }: PortalKit): Promise<boolean> {
  return (await serviceKeyState(context)) !== null
}

test('the passphrase opens the key, by the platform and by the file, and neither leaves the browser', async () => {
  const kit = await openPortalKit()
  const { context, key, sent } = kit
  const { passphrase } = key
  const inGroups = passphrase.match(/.{1,4}/g)?.join(' ') ?? ''
  await openByPassphrase(context, { serviceId: SERVICE, passphrase: inGroups })
  expect(await isOpen(kit)).toBe(true)
  const pem = await exportKeyFile(context, { serviceId: SERVICE, passphrase })
  expect(pem).toContain('BEGIN ENCRYPTED PRIVATE KEY')
  context.serviceKey = null
  await openByKeyFile(context, { serviceId: SERVICE, passphrase, pem })
  expect(await isOpen(kit)).toBe(true)
  expect(JSON.stringify(sent)).not.toContain(passphrase)
})

test('trying a passphrase opens nothing', async () => {
  const kit = await openPortalKit()
  await tryPassphrase(kit.context, { serviceId: SERVICE, passphrase: kit.key.passphrase })
  expect(await isOpen(kit)).toBe(false)
  const wrong = await outcomeOf(tryPassphrase(kit.context, { serviceId: SERVICE, passphrase: 'x'.repeat(43) }))
  expect(wrong).toBe('passphrase_wrong')
  expectWords(wrong)
})

const lies: readonly (readonly [string, (kit: PortalKit) => object, string])[] = [
  ['a weakened derivation', ({ key }) => answerOf(key, { iter: 1000 }), 'service_key_weak'],
  ['a derivation without end', ({ key }) => answerOf(key, { iter: 1e12 }), 'service_key_weak'],
  [
    'a damaged wrap',
    ({ key }) => answerOf(key, { data: key.encryptedPrivateKey.data.replace(/^..../, 'AAAA') }),
    'passphrase_wrong',
  ],
  [
    'another salt',
    ({ key, otherKey }) => answerOf(key, { salt: otherKey.encryptedPrivateKey.salt }),
    'passphrase_wrong',
  ],
  ['no wrap', ({ key }) => answerOf(key, { iv: '' }), 'service_key_damaged'],
  [
    'the wrap of another service',
    ({ key, otherKey }) => ({ ...answerOf(otherKey), public_key: key.publicKey }),
    'passphrase_wrong',
  ],
  [
    'another public key',
    ({ key, otherKey }) => ({ ...answerOf(key), public_key: otherKey.publicKey }),
    'key_of_another_service',
  ],
]

test.each(lies)('%s is refused in words, and opens nothing', async (_name, answer, refusal) => {
  const kit = await openPortalKit()
  kit.lie((call) => (call === WRAP ? answer(kit) : undefined))
  const wish = { serviceId: SERVICE, passphrase: kit.key.passphrase }
  for (const act of [openByPassphrase, tryPassphrase, exportKeyFile]) {
    expect(await outcomeOf(act(kit.context, wish))).toBe(refusal)
  }
  expectWords(refusal)
  expect(await isOpen(kit)).toBe(false)
  expect(kit.pins.size).toBe(0)
})

test('the passphrase and the key of another service, shown for this one, are refused', async () => {
  const kit = await openPortalKit()
  const { context, otherKey } = kit
  await openByPassphrase(context, { serviceId: OTHER, passphrase: otherKey.passphrase })
  kit.lie((call) => (call === WRAP ? answerOf(otherKey) : undefined))
  const outcome = await outcomeOf(openByPassphrase(context, { serviceId: SERVICE, passphrase: otherKey.passphrase }))
  expect(outcome).toBe('key_of_another_service')
  expectWords(outcome)
  expect(await serviceKeyState(context)).toMatchObject({ serviceId: OTHER })
})

test('a key that this browser knows cannot be exchanged, also with its own passphrase', async () => {
  const kit = await openPortalKit()
  const { context, key, otherKey } = kit
  await openByPassphrase(context, { serviceId: SERVICE, passphrase: key.passphrase })
  kit.lie((call) => (call === WRAP ? answerOf(otherKey) : undefined))
  const outcome = await outcomeOf(openByPassphrase(context, { serviceId: SERVICE, passphrase: otherKey.passphrase }))
  expect(outcome).toBe('service_key_changed')
  expectWords(outcome)
})

test('a file that is no key file, and the file of another service, are refused', async () => {
  const { context, key, otherKey } = await openPortalKit()
  const wish = { serviceId: SERVICE, passphrase: key.passphrase }
  const none = await outcomeOf(openByKeyFile(context, { ...wish, pem: '<script>alert(1)</script>' }))
  expect(none).toBe('not_a_key_file')
  expectWords(none)
  const foreign = await exportKeyFile(context, { serviceId: OTHER, passphrase: otherKey.passphrase })
  const other = await outcomeOf(openByKeyFile(context, { ...wish, pem: foreign, passphrase: otherKey.passphrase }))
  expect(other).toBe('key_of_another_service')
})

test('a service is made with the key of this browser; the copy is sealed to the recovery key, and no secret is sent', async () => {
  const { context, sent } = await openPortalKit()
  const { passphrase, needsPassword } = await makeServiceKey(context)
  expect(needsPassword).toBe(false)
  expect(await newKeyFile(context)).toContain('BEGIN ENCRYPTED PRIVATE KEY')
  const made = await createService(context, { ...ABOUT, recoveryCopy: true, password: null })
  expect(made).toEqual({ id: MADE, name: 'Home visits', code: 'NRTHWD/VISITS', isCopyMissing: false })
  const body: unknown = JSON.parse(sent.find(({ call }) => call === 'POST /api/services')?.body ?? '')
  expect(Object.keys(body ?? {}).toSorted()).toEqual([
    'admin_email',
    'audience',
    'encrypted_private_key',
    'name',
    'public_key',
  ])
  expect(JSON.stringify(sent)).not.toContain(passphrase)
  expect(await outcomeOf(createService(context, { ...ABOUT, recoveryCopy: false, password: null }))).toBe(
    'new_key_gone',
  )
})

test('a server that stores another key for a new service is found out', async () => {
  const kit = await openPortalKit()
  const { publicKey } = kit.otherKey
  kit.lie((call, body) => (call === 'POST /api/services' ? { ...serviceOf(body), public_key: publicKey } : undefined))
  await makeServiceKey(kit.context)
  const outcome = await outcomeOf(createService(kit.context, { ...ABOUT, recoveryCopy: false, password: null }))
  expect(outcome).toBe('new_key_exchanged')
  expectWords(outcome)
})

test('a recovery key of the server’s own gets no copy, also the first time', async () => {
  const kit = await openPortalKit()
  const { publicKey } = await createServiceKey()
  kit.lie((call) => (call === 'GET /api/account/recovery-key' ? { public_key: publicKey } : undefined))
  const wish = { serviceId: SERVICE, passphrase: kit.key.passphrase, password: null }
  expect(await outcomeOf(keepRecoveryCopy(kit.context, wish))).toBe('KeyChangedError')
  expectWords('key_changed')
  await makeServiceKey(kit.context)
  expect(await createService(kit.context, { ...ABOUT, recoveryCopy: true, password: null })).toMatchObject({
    isCopyMissing: true,
  })
  expect(kit.sent.some(({ call }) => call === 'POST /api/account/recovery-copies')).toBe(false)
})

test('without the password the first recovery copy is refused before anything is made', async () => {
  const { context, sent } = await openPortalKit({ hasPassword: false })
  expect(await makeServiceKey(context)).toMatchObject({ needsPassword: true })
  const outcome = await outcomeOf(createService(context, { ...ABOUT, recoveryCopy: true, password: null }))
  expect(outcome).toBe('password_needed')
  expect(sent.some(({ call }) => call === 'POST /api/services')).toBe(false)
})

test('the recovery copy answers the passphrase that opens the key, and no other', async () => {
  const kit = await openPortalKit()
  const { context, key, otherKey } = kit
  await keepRecoveryCopy(context, { serviceId: SERVICE, passphrase: key.passphrase, password: null })
  const stored = kit.sent.find(({ call }) => call === 'POST /api/account/recovery-copies')?.body ?? ''
  const keys = await context.open?.client.readKeys()
  const copyOf = (body: string): object => {
    const { sealed }: { readonly sealed: string } = JSON.parse(body)
    return { sealed, encrypted_recovery_key: keys?.encrypted_recovery_key }
  }
  kit.lie((call) => (call === 'POST /api/account/recover' ? copyOf(stored) : undefined))
  const wish = { serviceId: SERVICE, copyId: COPY, code: '123456', password: null }
  expect(await recoverPassphrase(context, wish)).toEqual({ passphrase: key.passphrase })
  await keepRecoveryCopy(context, { serviceId: OTHER, passphrase: otherKey.passphrase, password: null })
  const replayed = kit.sent.findLast(({ call }) => call === 'POST /api/account/recovery-copies')?.body ?? ''
  kit.lie((call) => (call === 'POST /api/account/recover' ? copyOf(replayed) : undefined))
  expect(await outcomeOf(recoverPassphrase(context, wish))).toBe('passphrase_wrong')
})
