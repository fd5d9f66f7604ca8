import { createHash } from 'node:crypto'
import { bodyOf, dataUri, invalidAt, JPEG_START, openWorld, photoEnvelope, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const NOTHING_HERE = refused(404, 'request.not_found')
const SECRET = 'mara@persons.example'
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const world = await openWorld()
const [person, otherPerson] = [await world.person(), await world.person()]
const company = await world.company()
const pathOf = (slug: string): string => `/api/contact-data/${person.field(slug)}`

describe('a value of a person', () => {
  test('is stored as the device sealed it, and is private by default', async () => {
    const path = pathOf('email')
    const value = await person.sealToSelf(SECRET)
    const put = await person.calls('PUT', path, { body: { value } })
    expect(put).toMatchObject({ status: 200, body: { slug: 'email', type: 'email', is_private: true, value } })
    expect(put.body).not.toHaveProperty('verified_hash')
    expect(put.body).not.toHaveProperty('file')
    expect(await person.calls('GET', path)).toMatchObject({ status: 200, body: put.body })
    const open = await bodyOf(person.calls('PUT', path, { body: { value, is_private: false } }))
    expect(open).toMatchObject({ is_private: false, value })
    const next = await person.sealToSelf('mara@elsewhere.example')
    expect(await bodyOf(person.calls('PUT', path, { body: { value: next } }))).toMatchObject({
      is_private: false,
      value: next,
    })
  })

  test('in the clear is refused where a wrapper is required', async () => {
    const wrapper = JSON.parse(await person.sealToSelf('x'))
    for (const [slug, isPrivate] of [
      ['phone', true],
      ['phone', false],
      ['photo', true],
    ] as const) {
      const path = pathOf(slug)
      for (const value of ['+31201234567', '', wrapper, JSON.stringify({ ...wrapper, more: 1 }), null]) {
        const put = await person.calls('PUT', path, { body: { value, is_private: isPrivate } })
        expect(put).toMatchObject(refused(400, 'contact_data.encryption_required'))
      }
      expect(await person.calls('GET', path)).toMatchObject(NOTHING_HERE)
    }
  })

  test('is refused in a malformed call', async () => {
    const path = pathOf('phone')
    const value = await person.sealToSelf('+31201234567')
    const share = { connection_id: person.userId, slug: 'phone' }
    for (const [body, at] of [
      [{}, '/body/value'],
      [{ value, is_private: 'yes' }, '/body/is_private'],
      [{ value, shares: [{ ...share, value }] }, '/body/shares/0'],
      [{ value, shares: [share] }, '/body/shares/0'],
      [{ value, shares: [{ ...share, value, file: 'sh_x' }] }, '/body/shares/0'],
      [{ value, shares: [{ ...share, file: 'sh_x' }] }, '/body/shares/0/file'],
      [{ value: value.replace('"d":"', `"d":"${'AAAA'.repeat(17_000)}`) }, '/body/value'],
    ] as const) {
      expect(await person.calls('PUT', path, { body })).toMatchObject(invalidAt(at))
    }
    expect(await person.calls('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('of another account answers the same 404 as a missing one', async () => {
    const field = await bodyOf(
      person.calls('POST', '/api/contact-fields', { body: { label: 'Locker', type: 'text', usertype: 'person' } }),
      201,
    )
    const path = `/api/contact-data/${String(field['id'])}`
    const missing = '/api/contact-data/01900000-0000-7000-8000-000000000000'
    const value = await person.sealToSelf('117')
    await bodyOf(person.calls('PUT', path, { body: { value } }))
    const bodies = { PUT: { value }, GET: undefined, DELETE: undefined } as const
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const theirs = await otherPerson.calls(method, path, { body: bodies[method] })
      const unknown = await otherPerson.calls(method, missing, { body: bodies[method] })
      expect(theirs).toMatchObject(NOTHING_HERE)
      expect(theirs.text).toBe(unknown.text)
      expect(await world.anonymous(method, path, { body: bodies[method], url: person.apiUrl })).toMatchObject({
        status: 401,
      })
    }
    expect(await otherPerson.calls('GET', `${path}/file`)).toMatchObject(NOTHING_HERE)
    expect(await otherPerson.calls('POST', `${path}/shares`, { body: { value } })).toMatchObject(NOTHING_HERE)
    expect(await person.calls('GET', '/api/contact-data/no-id')).toMatchObject(NOTHING_HERE)
    expect(await person.calls('GET', path)).toMatchObject({ status: 200, body: { value } })
  })

  test('is gone after DELETE; a second DELETE answers 404', async () => {
    const path = pathOf('gender')
    await bodyOf(person.calls('PUT', path, { body: { value: await person.sealToSelf('female') } }))
    expect(await person.calls('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expect(await person.calls('DELETE', path)).toMatchObject(NOTHING_HERE)
    expect(await person.calls('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('is refused for a field of companies', async () => {
    const path = pathOf('vat_number')
    expect(await person.calls('PUT', path, { body: { value: await person.sealToSelf('NL1') } })).toMatchObject(
      invalidAt('/path/fieldId'),
    )
  })
})

describe('the list', () => {
  test('has every value of the caller once, in pages', async () => {
    const owner = await world.person()
    expect(await bodyOf(owner.calls('GET', '/api/contact-data'))).toEqual({ total: 0, items: [], next_cursor: null })
    const slugs = ['first_name', 'last_name', 'email', 'phone', 'gender']
    for (const slug of slugs) {
      await bodyOf(owner.calls('PUT', pathOf(slug), { body: { value: await owner.sealToSelf(slug) } }))
    }
    const all = await bodyOf(owner.calls('GET', '/api/contact-data'))
    expect(all).toMatchObject({ total: 5, items: slugs.map((slug) => ({ slug })), next_cursor: null })
    const first = await bodyOf(owner.calls('GET', '/api/contact-data?limit=2'))
    expect(first).toMatchObject({ total: 3, items: [{ slug: 'first_name' }, { slug: 'last_name' }] })
    const second = await bodyOf(owner.calls('GET', `/api/contact-data?limit=3&cursor=${String(first['next_cursor'])}`))
    expect(second).toMatchObject({
      items: [{ slug: 'email' }, { slug: 'phone' }, { slug: 'gender' }],
      next_cursor: null,
    })
    const skipped = await bodyOf(owner.calls('GET', '/api/contact-data?offset=4'))
    expect(skipped).toMatchObject({ total: 5, items: [{ slug: 'gender' }] })
    for (const query of ['limit=0', 'offset=-1', 'cursor=nothing', 'offset=10001']) {
      expect(await owner.calls('GET', `/api/contact-data?${query}`)).toMatchObject(refused(400, 'request.invalid'))
    }
    expect(await world.anonymous('GET', '/api/contact-data', { url: owner.apiUrl })).toMatchObject({ status: 401 })
  })
})

describe('a file of a person', () => {
  test('that is private is served as it was sealed, with the digest of its bytes', async () => {
    const path = pathOf('photo')
    const value = await person.sealToSelf(photoEnvelope())
    const put = await bodyOf(person.calls('PUT', path, { body: { value } }))
    expect(put).toMatchObject({ is_private: true, file: { bytes: expect.any(Number) } })
    expect(put).not.toHaveProperty('value')
    const file = await person.calls('GET', `${path}/file`)
    expect(file).toMatchObject({ status: 200, body: { encrypted: true, value } })
    expect(file.headers.get('content-type')).toMatch(/^application\/json/)
    const digest = createHash('sha256').update(file.text).digest('hex')
    expect(file.headers.get('x-platform-content-sha256')).toBe(digest)
    expect(put['file']).toEqual({ content_sha256: digest, bytes: Buffer.byteLength(file.text) })
    expect(await world.anonymous('GET', `${path}/file`, { url: person.apiUrl })).toMatchObject({ status: 401 })
  })

  test('of more than a megabyte is stored as it was sent', async () => {
    const path = pathOf('proof_of_address')
    const value = await person.sealToSelf('é"'.repeat(1_500_000))
    const put = await bodyOf(person.calls('PUT', path, { body: { value } }))
    const file = await person.calls('GET', `${path}/file`)
    expect(file).toMatchObject({ status: 200, body: { encrypted: true, value } })
    const digest = createHash('sha256').update(file.text).digest('hex')
    expect(put['file']).toEqual({ content_sha256: digest, bytes: Buffer.byteLength(file.text) })
    const again = await bodyOf(person.calls('PUT', path, { body: { value } }))
    expect(again['updated_at']).toBe(put['updated_at'])
  })

  test('that is not private is served as its envelope; an invalid envelope is refused', async () => {
    const path = pathOf('proof_of_address')
    const envelope = (bytes: Uint8Array, mimeType: string) =>
      JSON.stringify({ file: dataUri(mimeType, bytes), original_name: 'rent', mime_type: mimeType, size: bytes.length })
    const value = envelope(Buffer.from('%PDF-1.7 rent'), 'application/pdf')
    const put = await bodyOf(person.calls('PUT', path, { body: { value, is_private: false } }))
    expect(put).toMatchObject({ is_private: false, file: { bytes: expect.any(Number) } })
    expect(await person.calls('GET', `${path}/file`)).toMatchObject({ status: 200, body: { encrypted: false, value } })
    for (const [bad, at] of [
      [envelope(JPEG_START, 'application/pdf'), '/body/value/file'],
      [envelope(Buffer.from('<svg/>'), 'image/svg+xml'), '/body/value/file'],
      [JSON.stringify({ file: dataUri('application/pdf', JPEG_START) }), '/body/value/original_name'],
      ['{}', '/body/value/file'],
      ['not an envelope', '/body/value'],
      [{}, '/body/value'],
      [await person.sealToSelf(value), '/body/value/_enc'],
    ] as const) {
      expect(await person.calls('PUT', path, { body: { value: bad, is_private: false } })).toMatchObject(invalidAt(at))
    }
    const share = { connection_id: person.userId, slug: 'x', value: await person.sealToSelf(value) }
    expect(await person.calls('PUT', path, { body: { value: `${value} `, shares: [share] } })).toMatchObject(
      invalidAt('/body/shares'),
    )
    expect(await person.calls('GET', `${path}/file`)).toMatchObject({ body: { encrypted: false, value } })
    const sealed = await person.sealToSelf(value)
    await bodyOf(person.calls('PUT', path, { body: { value: sealed, is_private: true } }))
    expect(await person.calls('GET', `${path}/file`)).toMatchObject({ body: { encrypted: true, value: sealed } })
  })

  test('above the cap of its lane is refused as too large, sealed or in the clear', async () => {
    const path = pathOf('photo')
    const large = photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(5 * 1_048_576)]))
    const tooLarge = refused(413, 'request.too_large')
    expect(await person.calls('PUT', path, { body: { value: large, is_private: false } })).toMatchObject(tooLarge)
    const sealed = await person.sealToSelf(photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(8 * 1_048_576)])))
    expect(await person.calls('PUT', path, { body: { value: sealed } })).toMatchObject(tooLarge)
    expect(await person.calls('POST', `${path}/shares`, { body: { value: sealed } })).toMatchObject(tooLarge)
  })

  test('answers 404 for a value that is no file', async () => {
    const path = pathOf('last_name')
    await bodyOf(person.calls('PUT', path, { body: { value: await person.sealToSelf('Kovac') } }))
    expect(await person.calls('GET', `${path}/file`)).toMatchObject(NOTHING_HERE)
  })
})

describe('the same call twice', () => {
  test('changes nothing the second time', async () => {
    const path = pathOf('address')
    const value = await person.sealToSelf('{"street":"Quay 1"}')
    const first = await person.calls('PUT', path, { body: { value } })
    world.clock.advance(60_000)
    const second = await person.calls('PUT', path, { body: { value } })
    expect(second).toMatchObject({ status: 200, text: first.text })
    const other = await bodyOf(
      person.calls('PUT', path, { body: { value: await person.sealToSelf('{"street":"Quay 2"}') } }),
    )
    expect(other['updated_at']).not.toBe(first.body['updated_at'])
  })

  test('at the same time leaves one of the values, complete', async () => {
    const path = pathOf('passport')
    const values = await Promise.all(['one', 'two', 'three', 'four'].map((text) => person.sealToSelf(text)))
    const puts = await Promise.all(values.map((value) => person.calls('PUT', path, { body: { value } })))
    expect(puts.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { body } = await person.calls('GET', `${path}/file`)
    expect(values).toContain(body['value'])
  })
})

describe('a company', () => {
  test('stores valid plain text, for its portal and for an account client with the capability [ACCT-06]', async () => {
    const client = await company.accountClient(['company_profile_fields'])
    const path = pathOf('email')
    const value = 'desk@northwind.example'
    const put = await bodyOf(client.calls('PUT', path, { body: { value } }))
    expect(put).toMatchObject({ slug: 'email', is_private: false, value })
    expect(await company.calls('GET', path)).toMatchObject({ status: 200, body: put })
    expect(await client.calls('GET', '/api/contact-data')).toMatchObject({ body: { items: [{ value }] } })
    const logo = photoEnvelope()
    const logoPath = pathOf('logo')
    await bodyOf(client.calls('PUT', logoPath, { body: { value: logo } }))
    expect(await client.calls('GET', `${logoPath}/file`)).toMatchObject({ body: { encrypted: false, value: logo } })
    const photo = await bodyOf(client.calls('POST', '/api/photos', { body: { file: PIXEL } }), 201)
    expect(await company.calls('GET', '/api/photos')).toMatchObject({ body: { items: [{ id: photo['id'] }] } })
    expect(await client.calls('DELETE', path)).toMatchObject({ status: 204 })
    expect(await company.calls('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('gets the faults of a value and cannot store a private one', async () => {
    const path = pathOf('email')
    expect(await company.calls('PUT', path, { body: { value: 'no address' } })).toMatchObject(invalidAt('/body/value'))
    expect(await company.calls('PUT', path, { body: { value: '' } })).toMatchObject(invalidAt('/body/value'))
    const hidden = { value: 'desk@northwind.example', is_private: true }
    expect(await company.calls('PUT', path, { body: hidden })).toMatchObject(invalidAt('/body/is_private'))
    const address = pathOf('address')
    const unknown = JSON.stringify({ planet: 'Mars' })
    expect(await company.calls('PUT', address, { body: { value: unknown } })).toMatchObject(
      refused(400, 'request.invalid'),
    )
    const theirs = pathOf('passport')
    expect(await company.calls('PUT', theirs, { body: { value: '{"pages":[]}' } })).toMatchObject(
      invalidAt('/path/fieldId'),
    )
  })

  test('cannot reach its values with a data client', async () => {
    const { data } = await world.service([], { company })
    const path = pathOf('email')
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect(await data(method, path, method === 'PUT' ? { body: { value: 'x' } } : {})).toMatchObject(
        refused(403, 'auth.client_endpoint_forbidden'),
      )
    }
    expect(await data('GET', '/api/contact-data')).toMatchObject(refused(403, 'auth.client_endpoint_forbidden'))
  })
})
