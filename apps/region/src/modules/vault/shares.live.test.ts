import { createHash } from 'node:crypto'
import { createCryptoPlatform, isAttested, type OpeningKey, openWrapper } from '@sealpost/crypto'
import { type FieldId, instant } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import {
  call,
  clientCalls,
  contactPath,
  demand,
  invalidAt,
  JPEG_START,
  newOwner,
  northwind,
  openServiceKey,
  type Owner,
  ownerOf,
  photoEnvelope,
  portalOf,
  refused,
  sealTo,
  sealToSelf,
  startWithoutLimits,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tidyVault } from './operations/tidy.ts'
import { insertShare } from './store/shares.ts'

const platform = createCryptoPlatform(globalThis)
const WAIT_MS = 15_000
const ROWS = [
  { slug: 'mail', label: 'Mail', type: 'email' },
  { slug: 'face', label: 'Face', type: 'photo' },
] as const

let two: TwoRegions
let key: OpeningKey
const rowIds = new Map<string, string>()

beforeAll(async () => {
  two = await startWithoutLimits()
  const portal = await portalOf(two, northwind)
  key = await openServiceKey(northwind.service)
  const path = `/api/services/${northwind.serviceId}/request-fields`
  const { config_token: token } = (await portal('GET', path)).body
  const published = await portal('PUT', path, { body: { config_token: token, request_fields: ROWS } })
  const rows = published.body['request_fields'] as readonly { readonly id: string; readonly slug: string }[]
  for (const { id, slug } of rows) rowIds.set(slug, id)
}, 120_000)
afterAll(() => two.close())

interface Shared {
  readonly owner: Owner
  readonly path: string
  readonly connectionId: string
}

/** A person in the other region, whose field feeds a slot of the service. */
async function share(slug: 'mail' | 'face', field: string, text: string | null, isPrivate = true): Promise<Shared> {
  const owner = await newOwner(two, { userType: 'person', region: 'us' })
  return shareOf(owner, { slug, field, text: text ?? owner.user.email, isPrivate })
}

interface Wanted {
  readonly slug: string
  readonly field: string
  readonly text: string
  readonly isPrivate: boolean
}

async function shareOf(owner: Owner, { slug, field, text, isPrivate }: Wanted): Promise<Shared> {
  const path = await contactPath(owner, field)
  const isClear = field === 'photo' && !isPrivate
  const value = isClear ? text : await sealToSelf(owner, text)
  await demand(owner.call('PUT', path, { value, is_private: isPrivate }))
  const sealed = await sealToService(text)
  const given = field === 'photo' ? { file: { value: sealed } } : { value: sealed }
  const decision = {
    request_field_id: rowIds.get(slug),
    kind: 'linked',
    source_field_id: path.slice(path.lastIndexOf('/') + 1),
    ...(isClear ? {} : given),
  }
  const code = `${northwind.shareCode}/${northwind.service.shareCode}`
  const made = await demand(owner.call('POST', '/api/company-connections', { code, decisions: [decision] }), 201)
  return { owner, path, connectionId: String(made['id']) }
}

function sealToService(text: string): Promise<string> {
  return sealTo(northwind.service.publicKey, text)
}

/** Calls as the data client with a fresh token: the clock advances past the end of tokens. */
async function service(path: string) {
  const calls = await clientCalls(two, northwind.clientId, northwind.clientSecret)
  return calls('GET', path)
}

async function slotOf({ connectionId }: Shared, slug: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { values } = await demand(service(`/api/company-data/connections/${connectionId}`))
  return (values as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[slug]
}

async function opened(value: unknown): Promise<string> {
  const text = await openWrapper(platform, key, String(value))
  if (!text.ok) throw new Error(`not sealed to the service: ${text.refusal}`)
  return text.value
}

describe('an edit of a field that feeds a service', () => {
  test('is refused unless it brings the new value sealed to that service', async () => {
    const shared = await share('mail', 'email', 'old@persons.example')
    const { owner, path, connectionId } = shared
    const value = await sealToSelf(owner, 'new@persons.example')
    const missing = [{ connection_id: connectionId, slug: 'mail' }]
    const bare = refused(400, 'contact_data.shares_incomplete', { missing })
    expect(await owner.call('PUT', path, { value })).toMatchObject(bare)
    expect(await owner.call('PUT', path, { value, shares: [] })).toMatchObject(bare)
    const slot = { connection_id: connectionId, slug: 'mail' }
    const odd = [{ ...slot, value: await sealToService('x'), slug: 'phone' }]
    expect(await owner.call('PUT', path, { value, shares: odd })).toMatchObject(invalidAt('/body/shares/0'))
    const stored = await demand(owner.call('GET', path))
    expect(stored['value']).not.toBe(value)
    const sealed = await sealToService('new@persons.example')
    const shares = [{ ...slot, value: sealed }]
    expect(await demand(owner.call('PUT', path, { value, shares }))).toMatchObject({ value })
    await waitUntil(
      'the service has the new value',
      WAIT_MS,
      async () => (await slotOf(shared, 'mail'))?.['value'] === sealed,
    )
    expect(await opened((await slotOf(shared, 'mail'))?.['value'])).toBe('new@persons.example')
    const twice = { value: await sealToSelf(owner, 'z'), shares: [...shares, ...shares] }
    expect(await owner.call('PUT', path, twice)).toMatchObject(invalidAt('/body/shares/1'))
  })

  test('accepts no plaintext for the service [CONN-20]', async () => {
    const { owner, path, connectionId } = await share('mail', 'email', 'old@persons.example')
    const value = await sealToSelf(owner, 'new@persons.example')
    const slot = { connection_id: connectionId, slug: 'mail' }
    const sealed = await sealToService('new@persons.example')
    const bare = refused(400, 'contact_data.encryption_required')
    for (const text of ['new@persons.example', '', JSON.parse(sealed)]) {
      const response = await owner.call('PUT', path, { value, shares: [{ ...slot, value: text }] })
      expect(response).toMatchObject(bare)
    }
    const plain = { value: 'new@persons.example', shares: [{ ...slot, value: sealed }] }
    expect(await owner.call('PUT', path, plain)).toMatchObject(bare)
    expect(await demand(owner.call('PUT', path, { value, shares: [{ ...slot, value: sealed }] }))).toMatchObject({
      value,
    })
  })
})

describe('a file that feeds a service', () => {
  test('is staged, used once, and arrives as it was sealed', async () => {
    const shared = await share('face', 'photo', photoEnvelope())
    const { owner, path, connectionId } = shared
    const envelope = photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(400_000, 7)]))
    const sealed = await sealToService(envelope)
    const stage = async () =>
      String((await demand(owner.call('POST', `${path}/shares`, { value: sealed }), 201))['file'])
    const file = await stage()
    const edit = async (handle: string) => ({
      value: await sealToSelf(owner, envelope),
      shares: [{ connection_id: connectionId, slug: 'face', file: handle }],
    })
    const first = await edit(file)
    const put = await owner.call('PUT', path, first)
    expect(put).toMatchObject({ status: 200, body: { is_private: true } })
    const fileUrl = `/api/company-data/connections/${connectionId}/slots/${String(rowIds.get('face'))}/file`
    await waitUntil('the file has arrived', WAIT_MS, async () => (await service(fileUrl)).body['value'] === sealed)
    expect(await service(fileUrl)).toMatchObject({ body: { encrypted: true } })
    expect(await owner.call('PUT', path, first)).toMatchObject({ status: 200, text: put.text })
    expect(await owner.call('PUT', path, await edit(file))).toMatchObject(invalidAt('/body/shares/0/file'))
    const otherPerson = await newOwner(two, { userType: 'person', region: 'us' })
    const theirs = await demand(otherPerson.call('POST', `${path}/shares`, { value: sealed }), 201)
    expect(await owner.call('PUT', path, await edit(String(theirs['file'])))).toMatchObject(
      invalidAt('/body/shares/0/file'),
    )
    const old = await stage()
    two.clock.advance(24 * 3_600_000)
    const later = await ownerOf(two, owner.user)
    expect(await later.call('PUT', path, await edit(old))).toMatchObject(invalidAt('/body/shares/0/file'))
  })

  test('cannot be staged beside two unused gigabytes of the same account', async () => {
    const owner = await newOwner(two, { userType: 'person', region: 'us' })
    const other = await newOwner(two, { userType: 'person', region: 'us' })
    const path = await contactPath(owner, 'photo')
    const sealed = await sealToService(photoEnvelope())
    const stage = (by: Owner) => by.call('POST', `${path}/shares`, { value: sealed })
    const { database, ids, clock } = two.us.platform
    const fill = (bytes: number) =>
      database.transaction((tx) =>
        insertShare(tx, {
          accountId: owner.user.userId,
          fieldId: path.slice(path.lastIndexOf('/') + 1) as FieldId,
          id: ids.uuid(),
          objectKey: ids.uuid().replaceAll('-', '') as ObjectKey,
          sha256: 'a'.repeat(64) as Sha256,
          bytes,
          expiresAt: instant(clock.now() + 3_600_000),
        }),
      )
    await fill(1024 ** 3)
    expect(await stage(owner)).toMatchObject({ status: 201 })
    await fill(1024 ** 3)
    expect(await stage(owner)).toMatchObject(invalidAt('/body/value'))
    expect(await stage(other)).toMatchObject({ status: 201 })
    two.clock.advance(24 * 3_600_000)
    await tidyVault(two.us.modules.vault)
    expect(await stage(await ownerOf(two, owner.user))).toMatchObject({ status: 201 })
  })

  test('in the clear is shared by the platform; once the field is private it must be sealed again', async () => {
    const shared = await share('face', 'photo', photoEnvelope(), false)
    const { owner, path, connectionId } = shared
    const fileUrl = `/api/company-data/connections/${connectionId}/slots/${String(rowIds.get('face'))}/file`
    const token = await two.token(northwind)
    const arrived = async (bytes: Uint8Array): Promise<boolean> => {
      const response = await fetch(`${two.eu.url ?? ''}${fileUrl}`, { headers: { authorization: `Bearer ${token}` } })
      return (
        response.headers.get('content-type') === 'image/jpeg' && Buffer.from(await response.arrayBuffer()).equals(bytes)
      )
    }
    await waitUntil('the file has arrived', WAIT_MS, () => arrived(JPEG_START))
    const next = Buffer.concat([JPEG_START, Buffer.from('another')])
    await demand(owner.call('PUT', path, { value: photoEnvelope(next) }))
    await waitUntil('the new file has arrived', WAIT_MS, () => arrived(next))
    const value = await sealToSelf(owner, photoEnvelope(next))
    const missing = refused(400, 'contact_data.shares_incomplete')
    expect(await owner.call('PUT', path, { value, is_private: true })).toMatchObject(missing)
    const sealed = await sealToService(photoEnvelope(next))
    const shares = [{ connection_id: connectionId, slug: 'face', value: sealed }]
    await demand(owner.call('PUT', path, { value, is_private: true, shares }))
    await waitUntil('the sealed file has arrived', WAIT_MS, async () => {
      const response = await fetch(`${two.eu.url ?? ''}${fileUrl}`, { headers: { authorization: `Bearer ${token}` } })
      return (await response.text()) === JSON.stringify({ encrypted: true, value: sealed })
    })
  })
})

describe('a staged share', () => {
  test('is a sealed file with a handle; the same Idempotency-Key answers the same handle', async () => {
    const person = await newOwner(two, { userType: 'person', region: 'us' })
    const path = await contactPath(person, 'photo')
    const value = await sealToService(photoEnvelope())
    const staged = await person.call('POST', `${path}/shares`, { value })
    expect(staged).toMatchObject({ status: 201, body: { file: expect.stringMatching(/^sh_[0-9a-f-]{36}$/) } })
    const keyed = () => call(person, 'POST', `${path}/shares`, { body: { value }, key: 'photo-share' })
    expect((await keyed()).text).toBe((await keyed()).text)
    const plain = await person.call('POST', `${path}/shares`, { value: photoEnvelope() })
    expect(plain).toMatchObject(refused(400, 'contact_data.encryption_required'))
    const inline = await contactPath(person, 'email')
    expect(await person.call('POST', `${inline}/shares`, { value })).toMatchObject(invalidAt('/body/value'))
    expect(await call(person.apiUrl, 'POST', `${path}/shares`, { body: { value } })).toMatchObject({ status: 401 })
  })
})

describe('the attestation of a value', () => {
  test('reaches the service when it is made and when it is withdrawn; it hashes salt and text, and a mismatch does not affect the value [CONN-08] [CONN-09]', async () => {
    const shared = await share('mail', 'email', null)
    const { owner } = shared
    const { value } = (await slotOf(shared, 'mail')) ?? {}
    const begun = await demand(owner.call('POST', `${shared.path}/verifications`, { provider: 'platform_email' }), 201)
    const code = await two.mail.waitForCode(owner.user.email, 'verify')
    const confirm = `${shared.path}/verifications/${String(begun['verification_id'])}/confirm`
    await demand(owner.call('POST', confirm, { code }))
    const isVerified = async () => typeof (await slotOf(shared, 'mail'))?.['verified_hash'] === 'string'
    await waitUntil('the service knows that it is verified', WAIT_MS, isVerified)
    const slot = (await slotOf(shared, 'mail')) ?? {}
    expect(slot).toMatchObject({ value, verified_method: 'email_code', verified_provider: 'platform_email' })
    const text = await opened(value)
    const recomputed = createHash('sha256')
      .update(`${String(slot['verified_salt'])}${text}`)
      .digest('hex')
    expect(slot['verified_hash']).toBe(recomputed)
    expect(await isAttested(platform, slot, text, two.clock.now())).toBe(true)
    // Another text is not attested, and the value itself stays valid.
    expect(await isAttested(platform, slot, `${text} `, two.clock.now())).toBe(false)
    await demand(owner.call('DELETE', `${shared.path}/verification`), 204)
    await waitUntil('the service knows that it is not', WAIT_MS, async () => !(await isVerified()))
    const unattested = (await slotOf(shared, 'mail')) ?? {}
    expect(unattested).toMatchObject({ value, verified_hash: null })
    expect(await isAttested(platform, unattested, text, two.clock.now())).toBe(false)
    expect(await opened(unattested['value'])).toBe(text)
    expect(await owner.call('DELETE', shared.path)).toMatchObject({ status: 204 })
    await waitUntil('the slot is empty', WAIT_MS, async () => (await slotOf(shared, 'mail')) === undefined)
  })
})
