import { createHash } from 'node:crypto'
import { createCryptoPlatform, isAttested } from '@sealpost/crypto'
import { invalidAt, JPEG_START, openWorld, type Person, photoEnvelope, refused, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { tidyVault } from './operations/tidy.ts'
import { insertShare } from './store/shares.ts'
import { bodyOf } from './testing/answers.ts'

const platform = createCryptoPlatform(globalThis)
const IN_TIME = { timeout: scaled(15_000) }

const world = await openWorld()
const service = await world.service([
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
])

interface Shared {
  readonly owner: Person
  readonly path: string
  readonly connectionId: string
}

/** A person in the other region, whose field feeds a slot of the service. */
async function share(slug: 'mail' | 'face', field: string, text: string | null, isPrivate = true): Promise<Shared> {
  const owner = await world.person()
  const given = text ?? owner.email
  const isClear = field === 'photo' && !isPrivate
  expect((await owner.put(field, given, [], { isPrivate, isClear })).status).toBe(200)
  const sealed = field === 'photo' ? { file: { value: await service.seal(given) } } : { text: given }
  const decision = { slug, kind: 'linked', source: field, ...(isClear ? {} : sealed) } as const
  return { owner, path: pathOf(owner, field), connectionId: await owner.connected(service, [decision]) }
}

function pathOf(owner: Person, slug: string): string {
  return `/api/contact-data/${owner.field(slug)}`
}

function filePath({ connectionId }: Shared): string {
  return `/api/company-data/connections/${connectionId}/slots/${service.row('face')}/file`
}

async function slotOf({ connectionId }: Shared, slug: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { values } = await bodyOf(service.data('GET', `/api/company-data/connections/${connectionId}`))
  return (values as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[slug]
}

describe('an edit of a field that feeds a service', () => {
  test('is refused unless it brings the new value sealed to that service', async () => {
    const shared = await share('mail', 'email', 'old@persons.example')
    const { owner, path, connectionId } = shared
    const value = await owner.sealToSelf('new@persons.example')
    const missing = [{ connection_id: connectionId, slug: 'mail' }]
    const bare = refused(400, 'contact_data.shares_incomplete', { missing })
    expect(await owner.calls('PUT', path, { body: { value } })).toMatchObject(bare)
    expect(await owner.calls('PUT', path, { body: { value, shares: [] } })).toMatchObject(bare)
    const slot = { connection_id: connectionId, slug: 'mail' }
    const odd = [{ ...slot, value: await service.seal('x'), slug: 'phone' }]
    expect(await owner.calls('PUT', path, { body: { value, shares: odd } })).toMatchObject(invalidAt('/body/shares/0'))
    const stored = await bodyOf(owner.calls('GET', path))
    expect(stored['value']).not.toBe(value)
    const sealed = await service.seal('new@persons.example')
    const shares = [{ ...slot, value: sealed }]
    expect(await bodyOf(owner.calls('PUT', path, { body: { value, shares } }))).toMatchObject({ value })
    await expect.poll(() => slotOf(shared, 'mail'), IN_TIME).toMatchObject({ value: sealed })
    expect(await service.open((await slotOf(shared, 'mail'))?.['value'])).toBe('new@persons.example')
    const twice = { value: await owner.sealToSelf('z'), shares: [...shares, ...shares] }
    expect(await owner.calls('PUT', path, { body: twice })).toMatchObject(invalidAt('/body/shares/1'))
  })

  test('accepts no plaintext for the service [CONN-20]', async () => {
    const { owner, path, connectionId } = await share('mail', 'email', 'old@persons.example')
    const value = await owner.sealToSelf('new@persons.example')
    const slot = { connection_id: connectionId, slug: 'mail' }
    const sealed = await service.seal('new@persons.example')
    const bare = refused(400, 'contact_data.encryption_required')
    for (const text of ['new@persons.example', '', JSON.parse(sealed)]) {
      const response = await owner.calls('PUT', path, { body: { value, shares: [{ ...slot, value: text }] } })
      expect(response).toMatchObject(bare)
    }
    const plain = { value: 'new@persons.example', shares: [{ ...slot, value: sealed }] }
    expect(await owner.calls('PUT', path, { body: plain })).toMatchObject(bare)
    expect(
      await bodyOf(owner.calls('PUT', path, { body: { value, shares: [{ ...slot, value: sealed }] } })),
    ).toMatchObject({
      value,
    })
  })
})

describe('a file that feeds a service', () => {
  test('is staged, used once, and arrives as it was sealed', async () => {
    const shared = await share('face', 'photo', photoEnvelope())
    const { owner, path, connectionId } = shared
    const envelope = photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(400_000, 7)]))
    const sealed = await service.seal(envelope)
    const stage = async () =>
      String((await bodyOf(owner.calls('POST', `${path}/shares`, { body: { value: sealed } }), 201))['file'])
    const file = await stage()
    const edit = async (handle: string) => ({
      value: await owner.sealToSelf(envelope),
      shares: [{ connection_id: connectionId, slug: 'face', file: handle }],
    })
    const first = await edit(file)
    const put = await owner.calls('PUT', path, { body: first })
    expect(put).toMatchObject({ status: 200, body: { is_private: true } })
    const read = async () => (await service.data('GET', filePath(shared))).body
    await expect.poll(read, IN_TIME).toEqual({ encrypted: true, value: sealed })
    expect(await owner.calls('PUT', path, { body: first })).toMatchObject({ status: 200, text: put.text })
    expect(await owner.calls('PUT', path, { body: await edit(file) })).toMatchObject(invalidAt('/body/shares/0/file'))
    const otherPerson = await world.person()
    const theirs = await bodyOf(otherPerson.calls('POST', `${path}/shares`, { body: { value: sealed } }), 201)
    expect(await owner.calls('PUT', path, { body: await edit(String(theirs['file'])) })).toMatchObject(
      invalidAt('/body/shares/0/file'),
    )
    const old = await stage()
    world.clock.advance(24 * 3_600_000)
    expect(await owner.calls('PUT', path, { body: await edit(old) })).toMatchObject(invalidAt('/body/shares/0/file'))
  })

  test('cannot be staged beside two unused gigabytes of the same account', async () => {
    const owner = await world.person()
    const other = await world.person()
    const path = pathOf(owner, 'photo')
    const sealed = await service.seal(photoEnvelope())
    const stage = (by: Person) => by.calls('POST', `${path}/shares`, { body: { value: sealed } })
    const { database, ids, clock } = world.us.platform
    const fill = (bytes: number) => {
      const staged = {
        accountId: owner.userId,
        fieldId: owner.field('photo'),
        id: ids.uuid(),
        objectKey: ids.uuid().replaceAll('-', ''),
        sha256: 'a'.repeat(64),
        bytes,
        expiresAt: clock.now() + 3_600_000,
      } as Parameters<typeof insertShare>[1]
      return database.transaction((tx) => insertShare(tx, staged))
    }
    await fill(1024 ** 3)
    expect(await stage(owner)).toMatchObject({ status: 201 })
    await fill(1024 ** 3)
    expect(await stage(owner)).toMatchObject(invalidAt('/body/value'))
    expect(await stage(other)).toMatchObject({ status: 201 })
    world.clock.advance(24 * 3_600_000)
    await tidyVault(world.us.modules.vault)
    expect(await stage(owner)).toMatchObject({ status: 201 })
  })

  test('in the clear is shared by the platform; once the field is private it must be sealed again', async () => {
    const shared = await share('face', 'photo', photoEnvelope(), false)
    const { owner, path, connectionId } = shared
    const received = async (): Promise<readonly unknown[]> => {
      const { headers, bytes } = await service.download(filePath(shared))
      return [headers.get('content-type'), bytes.toString('hex')]
    }
    await expect.poll(received, IN_TIME).toEqual(['image/jpeg', JPEG_START.toString('hex')])
    const next = Buffer.concat([JPEG_START, Buffer.from('another')])
    await bodyOf(owner.calls('PUT', path, { body: { value: photoEnvelope(next) } }))
    await expect.poll(received, IN_TIME).toEqual(['image/jpeg', next.toString('hex')])
    const value = await owner.sealToSelf(photoEnvelope(next))
    const missing = refused(400, 'contact_data.shares_incomplete')
    expect(await owner.calls('PUT', path, { body: { value, is_private: true } })).toMatchObject(missing)
    const sealed = await service.seal(photoEnvelope(next))
    const shares = [{ connection_id: connectionId, slug: 'face', value: sealed }]
    await bodyOf(owner.calls('PUT', path, { body: { value, is_private: true, shares } }))
    const text = async (): Promise<string> => (await service.download(filePath(shared))).bytes.toString()
    await expect.poll(text, IN_TIME).toBe(JSON.stringify({ encrypted: true, value: sealed }))
  })
})

describe('a staged share', () => {
  test('is a sealed file with a handle; the same Idempotency-Key answers the same handle', async () => {
    const person = await world.person()
    const path = pathOf(person, 'photo')
    const value = await service.seal(photoEnvelope())
    const staged = await person.calls('POST', `${path}/shares`, { body: { value } })
    expect(staged).toMatchObject({ status: 201, body: { file: expect.stringMatching(/^sh_[0-9a-f-]{36}$/) } })
    const keyed = () => person.calls('POST', `${path}/shares`, { body: { value }, key: 'photo-share' })
    expect((await keyed()).text).toBe((await keyed()).text)
    const plain = await person.calls('POST', `${path}/shares`, { body: { value: photoEnvelope() } })
    expect(plain).toMatchObject(refused(400, 'contact_data.encryption_required'))
    const inline = pathOf(person, 'email')
    expect(await person.calls('POST', `${inline}/shares`, { body: { value } })).toMatchObject(invalidAt('/body/value'))
    const anonymous = await world.anonymous('POST', `${path}/shares`, { body: { value }, url: person.apiUrl })
    expect(anonymous.status).toBe(401)
  })
})

describe('the attestation of a value', () => {
  test('reaches the service when it is made and when it is withdrawn; it hashes salt and text, and a mismatch does not affect the value [CONN-08] [CONN-09]', async () => {
    const shared = await share('mail', 'email', null)
    const { owner } = shared
    const { value } = (await slotOf(shared, 'mail')) ?? {}
    const begun = await bodyOf(
      owner.calls('POST', `${shared.path}/verifications`, { body: { provider: 'platform_email' } }),
      201,
    )
    const code = await world.mail.waitForCode(owner.email, 'verify')
    const confirm = `${shared.path}/verifications/${String(begun['verification_id'])}/confirm`
    await bodyOf(owner.calls('POST', confirm, { body: { code } }))
    const slotNow = () => slotOf(shared, 'mail')
    await expect.poll(slotNow, IN_TIME).toMatchObject({ verified_hash: expect.any(String) })
    const slot = (await slotOf(shared, 'mail')) ?? {}
    expect(slot).toMatchObject({ value, verified_method: 'email_code', verified_provider: 'platform_email' })
    const text = await service.open(value)
    const recomputed = createHash('sha256')
      .update(`${String(slot['verified_salt'])}${text}`)
      .digest('hex')
    expect(slot['verified_hash']).toBe(recomputed)
    expect(await isAttested(platform, slot, text, world.clock.now())).toBe(true)
    // Another text is not attested, and the value itself stays valid.
    expect(await isAttested(platform, slot, `${text} `, world.clock.now())).toBe(false)
    await bodyOf(owner.calls('DELETE', `${shared.path}/verification`), 204)
    await expect.poll(slotNow, IN_TIME).toMatchObject({ value, verified_hash: null })
    const unattested = (await slotNow()) ?? {}
    expect(await isAttested(platform, unattested, text, world.clock.now())).toBe(false)
    expect(await service.open(unattested['value'])).toBe(text)
    expect(await owner.calls('DELETE', shared.path)).toMatchObject({ status: 204 })
    await expect.poll(slotNow, IN_TIME).toBeUndefined()
  })
})
