import { createCryptoPlatform, isAttested } from '@sealpost/crypto'
import { type FieldId, parseUuid } from '@sealpost/kernel'
import {
  bodyOf,
  type DemoVerifier,
  invalidAt,
  openWorld,
  type Person,
  refused,
  startDemoVerifier,
} from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { findVaultValue } from '../operations/read-value.ts'
import { tidyVault } from '../operations/tidy.ts'

const platform = createCryptoPlatform(globalThis)
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let lie: Readonly<Record<string, unknown>> = {}
const now = (): number => world.clock.now()
const demo = await startDemoVerifier({ now, validDays: 10 })
const liar = await startDemoVerifier({ name: 'liar', now, lie: () => lie })
const world = await openWorld({ settings: { VERIFIERS: `${demo.setting}; ${liar.setting}` } })
for (const verifier of [demo, liar]) world.onEnd(() => verifier.close())

/** A field of a person. */
interface Field {
  readonly owner: Person
  readonly path: string
}

async function ownerWith(slug: string, text?: string): Promise<Field> {
  const owner = await world.person()
  expect((await owner.put(slug, text ?? owner.email)).status).toBe(200)
  return { owner, path: `/api/contact-data/${owner.field(slug)}` }
}

function begin({ owner, path }: Field, provider: string) {
  return bodyOf(owner.calls('POST', `${path}/verifications`, { body: { provider } }), 201)
}

async function mailedTo({ owner, path }: Field) {
  const begun = await begin({ owner, path }, 'platform_email')
  const code = await world.mail.waitForCode(owner.email, 'verify')
  return { code, begun, confirm: `${path}/verifications/${String(begun['verification_id'])}/confirm` }
}

/** Acts as the device: brings the challenge to the provider and gets the statement. */
async function attested({ owner, path }: Field, from: DemoVerifier, provider: string) {
  const begun = await begin({ owner, path }, provider)
  const { plaintext, statement } = await from.attest({
    verification_id: String(begun['verification_id']),
    challenge: String(begun['challenge']),
    field_type: 'personal_number',
    evidence: ' 800101-1234 ',
  })
  const confirm = `${path}/verifications/${String(begun['verification_id'])}/confirm`
  return { begun, plaintext, statement, confirm }
}

const wrongCode = invalidAt('/body/code')
const wrongStatement = invalidAt('/body/statement')

describe('an e-mail address', () => {
  test('is verified by a code that is mailed to the account, for exactly that text', async () => {
    const who = await ownerWith('email')
    const { code, begun, confirm } = await mailedTo(who)
    expect(begun).toMatchObject({ provider: 'platform_email', challenge: null, provider_url: null })
    const value = await bodyOf(who.owner.calls('POST', confirm, { body: { code } }))
    expect(value).toMatchObject({
      verified_method: 'email_code',
      verified_provider: 'platform_email',
      verification_id: begun['verification_id'],
      verified_expires_at: null,
    })
    const { email } = who.owner
    expect(await isAttested(platform, value, email, world.clock.now())).toBe(true)
    expect(await isAttested(platform, value, email.toUpperCase(), world.clock.now())).toBe(false)
    expect(await bodyOf(who.owner.calls('GET', who.path))).toEqual(value)
    expect(await bodyOf(who.owner.calls('POST', confirm, { body: { code } }))).toEqual(value)
  })

  test('is begun once for one Idempotency-Key: no second mail, and the code of the first stays valid', async () => {
    const { owner, path } = await ownerWith('email')
    const sent = { body: { provider: 'platform_email' }, key: 'verify-once' }
    const start = () => owner.calls('POST', `${path}/verifications`, sent)
    const [first, second] = [await start(), await start()]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const code = await world.mail.waitForCode(owner.email, 'verify')
    const confirm = `${path}/verifications/${String(first.body['verification_id'])}/confirm`
    expect((await owner.calls('POST', confirm, { body: { code } })).status).toBe(200)
  })

  test('needs the right code, within ten minutes and five tries', async () => {
    const who = await ownerWith('email')
    const late = await mailedTo(who)
    world.clock.advance(10 * MINUTE_MS)
    expect(await who.owner.calls('POST', late.confirm, { body: { code: late.code } })).toMatchObject(wrongCode)
    const { code, confirm } = await mailedTo(who)
    expect(await who.owner.calls('POST', late.confirm, { body: { code } })).toMatchObject(
      refused(404, 'request.not_found'),
    )
    const wrong = code === '000000' ? '000001' : '000000'
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await who.owner.calls('POST', confirm, { body: { code: wrong } })).toMatchObject(wrongCode)
    }
    expect(await who.owner.calls('POST', confirm, { body: { code } })).toMatchObject(wrongCode)
    expect(await bodyOf(who.owner.calls('GET', who.path))).not.toHaveProperty('verified_hash')
  })

  test('is the only type that this provider verifies', async () => {
    const who = await ownerWith('phone')
    const response = await who.owner.calls('POST', `${who.path}/verifications`, {
      body: { provider: 'platform_email' },
    })
    expect(response).toMatchObject(invalidAt('/body/provider'))
    const sms = await who.owner.calls('POST', `${who.path}/verifications`, { body: { provider: 'platform_sms' } })
    expect(sms).toMatchObject(invalidAt('/body/provider'))
    expect(sms.text).toContain('platform_email, demo_id')
  })
})

describe('a provider that signs statements', () => {
  test('gives the text to the device and only its salted hash to the platform', async () => {
    const who = await ownerWith('personal_number', 'not yet')
    const { begun, plaintext, statement, confirm } = await attested(who, demo, 'demo_id')
    expect(begun).toMatchObject({ provider: 'demo_id', provider_url: demo.url, challenge: expect.any(String) })
    const sealed = await who.owner.sealToSelf(plaintext)
    await bodyOf(who.owner.calls('PUT', who.path, { body: { value: sealed } }))
    const value = await bodyOf(who.owner.calls('POST', confirm, { body: { statement } }))
    expect(value).toMatchObject({
      value: sealed,
      verified_method: 'id_document',
      verified_provider: 'demo_id',
      verification_id: begun['verification_id'],
      verified_expires_at: expect.any(String),
    })
    expect(plaintext).toBe('800101-1234')
    expect(await isAttested(platform, value, plaintext, world.clock.now())).toBe(true)
    expect(await isAttested(platform, value, ' 800101-1234 ', world.clock.now())).toBe(false)
    expect(await bodyOf(who.owner.calls('POST', confirm, { body: { statement } }))).toEqual(value)
  })

  test('cannot restore a withdrawn attestation with the same statement', async () => {
    const who = await ownerWith('personal_number', '800101-1234')
    const { statement, confirm } = await attested(who, demo, 'demo_id')
    await bodyOf(who.owner.calls('POST', confirm, { body: { statement } }))
    expect(await who.owner.calls('DELETE', `${who.path}/verification`)).toMatchObject({ status: 204 })
    expect(await who.owner.calls('DELETE', `${who.path}/verification`)).toMatchObject({ status: 204 })
    expect(await bodyOf(who.owner.calls('GET', who.path))).not.toHaveProperty('verified_hash')
    expect(await who.owner.calls('POST', confirm, { body: { statement } })).toMatchObject(wrongStatement)
  })

  test('is refused for another issuer, verification, challenge, type, account or time', async () => {
    const who = await ownerWith('personal_number', '800101-1234')
    for (const change of [
      { iss: 'https://other.example' },
      { verification_id: '01900000-0000-7000-8000-000000000000' },
      { challenge: 'guessed' },
      { field_type: 'email' },
      { salt: 'salt' },
      { verified_at: '2999-01-01T00:00:00.000+00:00' },
      { expires_at: '2001-01-01T00:00:00.000+00:00' },
    ]) {
      lie = change
      const { statement, confirm } = await attested(who, liar, 'liar')
      expect(await who.owner.calls('POST', confirm, { body: { statement } })).toMatchObject(wrongStatement)
    }
    lie = {}
    const mine = await attested(who, demo, 'demo_id')
    const others = await attested(await ownerWith('personal_number', 'x'), demo, 'demo_id')
    const unsigned = mine.statement.split('.').with(2, 'AAAA').join('.')
    const foreign = (await attested(who, liar, 'liar')).statement
    for (const statement of [others.statement, unsigned, foreign, 'nothing']) {
      expect(await who.owner.calls('POST', mine.confirm, { body: { statement } })).toMatchObject(wrongStatement)
    }
    expect(await bodyOf(who.owner.calls('GET', who.path))).not.toHaveProperty('verified_hash')
    expect(await bodyOf(who.owner.calls('POST', mine.confirm, { body: { statement: mine.statement } }))).toHaveProperty(
      'verified_hash',
    )
  })

  test('is refused when the field changed its type after the challenge', async () => {
    const owner = await world.person()
    const made = await bodyOf(
      owner.calls('POST', '/api/contact-fields', { body: { label: 'Number', type: 'text' } }),
      201,
    )
    const field = `/api/contact-fields/${String(made['id'])}`
    const path = `/api/contact-data/${String(made['id'])}`
    const begun = await begin({ owner, path }, 'demo_id')
    const { statement } = await demo.attest({
      verification_id: String(begun['verification_id']),
      challenge: String(begun['challenge']),
      field_type: 'text',
      evidence: '800101-1234',
    })
    await bodyOf(owner.calls('PUT', field, { body: { type: 'personal_number' } }))
    await bodyOf(owner.calls('PUT', path, { body: { value: await owner.sealToSelf('800101-1234') } }))
    const confirm = `${path}/verifications/${String(begun['verification_id'])}/confirm`
    expect(await owner.calls('POST', confirm, { body: { statement } })).toMatchObject(wrongStatement)
    expect(await bodyOf(owner.calls('GET', path))).not.toHaveProperty('verified_hash')
  })

  test('sets an expiry: the wire hides the attestation at once, upkeep deletes it', async () => {
    const who = await ownerWith('personal_number', '800101-1234')
    const { statement, confirm } = await attested(who, demo, 'demo_id')
    await bodyOf(who.owner.calls('POST', confirm, { body: { statement } }))
    world.clock.advance(10 * DAY_MS)
    expect(await bodyOf(who.owner.calls('GET', who.path))).not.toHaveProperty('verified_hash')
    expect(await attestationOf(who)).not.toBeNull()
    await tidyVault(world.us.modules.vault)
    expect(await attestationOf(who)).toBeNull()
  })

  test('sets an expiry that upkeep applies although another attestation cannot be withdrawn', async () => {
    const all = [await ownerWith('personal_number', '800101-1234'), await ownerWith('personal_number', '800101-1234')]
    for (const who of all) {
      const { statement, confirm } = await attested(who, demo, 'demo_id')
      await bodyOf(who.owner.calls('POST', confirm, { body: { statement } }))
    }
    world.clock.advance(10 * DAY_MS)
    const { vault } = world.us.modules
    const [stuck] = all.map(({ owner }) => owner.userId)
    const onAttestationChanged: typeof vault.hooks.onAttestationChanged = (tx, change) =>
      change.accountId === stuck
        ? Promise.reject(new Error('no'))
        : Promise.resolve(vault.hooks.onAttestationChanged(tx, change))
    const failing = { ...vault, hooks: { ...vault.hooks, onAttestationChanged } }
    await expect(tidyVault(failing)).rejects.toThrow(AggregateError)
    const left = await Promise.all(all.map((who) => attestationOf(who)))
    expect(left.map((attestation) => attestation !== null)).toEqual([true, false])
    await tidyVault(vault)
  })
})

describe('a verified value', () => {
  test('loses its attestation when it changes and keeps it when it is sent again unchanged', async () => {
    const who = await ownerWith('email')
    const { code, confirm } = await mailedTo(who)
    const { value } = await bodyOf(who.owner.calls('POST', confirm, { body: { code } }))
    expect(await bodyOf(who.owner.calls('PUT', who.path, { body: { value } }))).toHaveProperty('verified_hash')
    expect(await bodyOf(who.owner.calls('PUT', who.path, { body: { value, is_private: false } }))).toHaveProperty(
      'verified_hash',
    )
    const other = await who.owner.sealToSelf(who.owner.email)
    expect(await bodyOf(who.owner.calls('PUT', who.path, { body: { value: other } }))).not.toHaveProperty(
      'verified_hash',
    )
    expect(await who.owner.calls('POST', confirm, { body: { code } })).toMatchObject(wrongCode)
  })
})

describe('the routes', () => {
  test('answer only the owner of the field and refuse malformed calls', async () => {
    const who = await ownerWith('email')
    const { confirm } = await mailedTo(who)
    const nothing = refused(404, 'request.not_found')
    const otherPerson = await ownerWith('email')
    const code = '123456'
    expect(await otherPerson.owner.calls('POST', confirm, { body: { code } })).toMatchObject(nothing)
    const unknown = `${who.path}/verifications/01900000-0000-7000-8000-000000000000/confirm`
    expect(await who.owner.calls('POST', unknown, { body: { code } })).toMatchObject(nothing)
    expect(await who.owner.calls('POST', confirm, { body: {} })).toMatchObject(invalidAt('/body'))
    expect(await who.owner.calls('POST', confirm, { body: { code, statement: 'x' } })).toMatchObject(invalidAt('/body'))
    expect(await who.owner.calls('POST', confirm, { body: { code: '12' } })).toMatchObject(wrongCode)
    expect(await who.owner.calls('POST', confirm, { body: { statement: 'x' } })).toMatchObject(wrongStatement)
    const start = `${who.path}/verifications`
    expect(await who.owner.calls('POST', start, { body: {} })).toMatchObject(invalidAt('/body/provider'))
    for (const [method, path] of [
      ['POST', start],
      ['POST', confirm],
      ['DELETE', `${who.path}/verification`],
    ] as const) {
      const body = method === 'POST' ? { provider: 'platform_email', code } : undefined
      expect(await world.anonymous(method, path, { body, url: who.owner.apiUrl })).toMatchObject({ status: 401 })
    }
    const empty = await world.person()
    expect(await empty.calls('DELETE', `${who.path}/verification`)).toMatchObject(nothing)
    const early = await bodyOf(empty.calls('POST', start, { body: { provider: 'demo_id' } }), 201)
    const tooEarly = `${start}/${String(early['verification_id'])}/confirm`
    expect(await empty.calls('POST', tooEarly, { body: { code } })).toMatchObject(nothing)
  })
})

async function attestationOf({ owner, path }: Field) {
  const fieldId = parseUuid<FieldId>(path.slice(path.lastIndexOf('/') + 1))
  if (fieldId === null) throw new Error(path)
  const { vault } = world.us.modules
  return (await vault.database.read((read) => findVaultValue(read, owner.userId, fieldId)))?.attestation ?? null
}
