import { createHash } from 'node:crypto'
import {
  call,
  type Calls,
  clientCalls,
  contactPath,
  dataUri,
  demand,
  invalidAt,
  JPEG_START,
  logIn,
  newOwner,
  northwind,
  openAccountClient,
  type Owner,
  photoEnvelope,
  portalOf,
  refused,
  sealToSelf,
  startWithoutLimits,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let person: Owner
let otherPerson: Owner
let portal: Calls
let company: { readonly call: Owner['call'] }

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await newOwner(two, { userType: 'person', region: 'us' })
  otherPerson = await newOwner(two, { userType: 'person', region: 'us' })
  portal = await portalOf(two, northwind)
  company = { call: (method, path, body) => portal(asMethod(method), path, { body }) }
}, 120_000)
afterAll(() => two.close())

function asMethod(text: string): Parameters<Calls>[0] {
  if (text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE') return text
  throw new Error(text)
}

const NOTHING_HERE = refused(404, 'request.not_found')
const SECRET = 'mara@persons.example'
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('a value of a person', () => {
  test('is stored as the device sealed it, and is private by default', async () => {
    const path = await contactPath(person, 'email')
    const value = await sealToSelf(person, SECRET)
    const put = await person.call('PUT', path, { value })
    expect(put).toMatchObject({ status: 200, body: { slug: 'email', type: 'email', is_private: true, value } })
    expect(put.body).not.toHaveProperty('verified_hash')
    expect(put.body).not.toHaveProperty('file')
    expect(await person.call('GET', path)).toMatchObject({ status: 200, body: put.body })
    const open = await demand(person.call('PUT', path, { value, is_private: false }))
    expect(open).toMatchObject({ is_private: false, value })
    const next = await sealToSelf(person, 'mara@elsewhere.example')
    expect(await demand(person.call('PUT', path, { value: next }))).toMatchObject({ is_private: false, value: next })
  })

  test('in the clear is refused where a wrapper is required', async () => {
    const wrapper = JSON.parse(await sealToSelf(person, 'x'))
    for (const [slug, isPrivate] of [
      ['phone', true],
      ['phone', false],
      ['photo', true],
    ] as const) {
      const path = await contactPath(person, slug)
      for (const value of ['+31201234567', '', wrapper, JSON.stringify({ ...wrapper, more: 1 }), null]) {
        const put = await person.call('PUT', path, { value, is_private: isPrivate })
        expect(put).toMatchObject(refused(400, 'contact_data.encryption_required'))
      }
      expect(await person.call('GET', path)).toMatchObject(NOTHING_HERE)
    }
  })

  test('is refused in a malformed call', async () => {
    const path = await contactPath(person, 'phone')
    const value = await sealToSelf(person, '+31201234567')
    const share = { connection_id: person.user.userId, slug: 'phone' }
    for (const [body, at] of [
      [{}, '/body/value'],
      [{ value, is_private: 'yes' }, '/body/is_private'],
      [{ value, shares: [{ ...share, value }] }, '/body/shares/0'],
      [{ value, shares: [share] }, '/body/shares/0'],
      [{ value, shares: [{ ...share, value, file: 'sh_x' }] }, '/body/shares/0'],
      [{ value, shares: [{ ...share, file: 'sh_x' }] }, '/body/shares/0/file'],
      [{ value: value.replace('"d":"', `"d":"${'AAAA'.repeat(5000)}`) }, '/body/value'],
    ] as const) {
      expect(await person.call('PUT', path, body)).toMatchObject(invalidAt(at))
    }
    expect(await person.call('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('of another account answers the same 404 as a missing one', async () => {
    const field = await demand(
      person.call('POST', '/api/contact-fields', { label: 'Locker', type: 'text', usertype: 'person' }),
      201,
    )
    const path = `/api/contact-data/${String(field['id'])}`
    const missing = '/api/contact-data/01900000-0000-7000-8000-000000000000'
    const value = await sealToSelf(person, '117')
    await demand(person.call('PUT', path, { value }))
    const bodies = { PUT: { value }, GET: undefined, DELETE: undefined } as const
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const theirs = await otherPerson.call(method, path, bodies[method])
      const unknown = await otherPerson.call(method, missing, bodies[method])
      expect(theirs).toMatchObject(NOTHING_HERE)
      expect(theirs.text).toBe(unknown.text)
      expect(await call(person.apiUrl, method, path, { body: bodies[method] })).toMatchObject({ status: 401 })
    }
    expect(await otherPerson.call('GET', `${path}/file`)).toMatchObject(NOTHING_HERE)
    expect(await otherPerson.call('POST', `${path}/shares`, { value })).toMatchObject(NOTHING_HERE)
    expect(await person.call('GET', '/api/contact-data/no-id')).toMatchObject(NOTHING_HERE)
    expect(await person.call('GET', path)).toMatchObject({ status: 200, body: { value } })
  })

  test('is gone after DELETE; a second DELETE answers 404', async () => {
    const path = await contactPath(person, 'gender')
    await demand(person.call('PUT', path, { value: await sealToSelf(person, 'female') }))
    expect(await person.call('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expect(await person.call('DELETE', path)).toMatchObject(NOTHING_HERE)
    expect(await person.call('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('is refused for a field of companies', async () => {
    const path = await contactPath(person, 'vat_number')
    expect(await person.call('PUT', path, { value: await sealToSelf(person, 'NL1') })).toMatchObject(
      invalidAt('/path/fieldId'),
    )
  })
})

describe('the list', () => {
  test('has every value of the caller once, in pages', async () => {
    const owner = await newOwner(two, { userType: 'person', region: 'us' })
    expect(await demand(owner.call('GET', '/api/contact-data'))).toEqual({ total: 0, items: [], next_cursor: null })
    const slugs = ['first_name', 'last_name', 'email', 'phone', 'gender']
    for (const slug of slugs) {
      await demand(owner.call('PUT', await contactPath(owner, slug), { value: await sealToSelf(owner, slug) }))
    }
    const all = await demand(owner.call('GET', '/api/contact-data'))
    expect(all).toMatchObject({ total: 5, items: slugs.map((slug) => ({ slug })), next_cursor: null })
    const first = await demand(owner.call('GET', '/api/contact-data?limit=2'))
    expect(first).toMatchObject({ total: 3, items: [{ slug: 'first_name' }, { slug: 'last_name' }] })
    const second = await demand(owner.call('GET', `/api/contact-data?limit=3&cursor=${String(first['next_cursor'])}`))
    expect(second).toMatchObject({
      items: [{ slug: 'email' }, { slug: 'phone' }, { slug: 'gender' }],
      next_cursor: null,
    })
    const skipped = await demand(owner.call('GET', '/api/contact-data?offset=4'))
    expect(skipped).toMatchObject({ total: 5, items: [{ slug: 'gender' }] })
    for (const query of ['limit=0', 'offset=-1', 'cursor=nothing', 'offset=10001']) {
      expect(await owner.call('GET', `/api/contact-data?${query}`)).toMatchObject(refused(400, 'request.invalid'))
    }
    expect(await call(owner.apiUrl, 'GET', '/api/contact-data')).toMatchObject({ status: 401 })
  })
})

describe('a file of a person', () => {
  test('that is private is served as it was sealed, with the digest of its bytes', async () => {
    const path = await contactPath(person, 'photo')
    const value = await sealToSelf(person, photoEnvelope())
    const put = await demand(person.call('PUT', path, { value }))
    expect(put).toMatchObject({ is_private: true, file: { bytes: expect.any(Number) } })
    expect(put).not.toHaveProperty('value')
    const file = await person.call('GET', `${path}/file`)
    expect(file).toMatchObject({ status: 200, body: { encrypted: true, value } })
    expect(file.headers.get('content-type')).toMatch(/^application\/json/)
    const digest = createHash('sha256').update(file.text).digest('hex')
    expect(file.headers.get('x-platform-content-sha256')).toBe(digest)
    expect(put['file']).toEqual({ content_sha256: digest, bytes: Buffer.byteLength(file.text) })
    expect(await call(person.apiUrl, 'GET', `${path}/file`)).toMatchObject({ status: 401 })
  })

  test('that is not private is served as its envelope; an invalid envelope is refused', async () => {
    const path = await contactPath(person, 'proof_of_address')
    const envelope = (bytes: Uint8Array, mimeType: string) =>
      JSON.stringify({ file: dataUri(mimeType, bytes), original_name: 'rent', mime_type: mimeType, size: bytes.length })
    const value = envelope(Buffer.from('%PDF-1.7 rent'), 'application/pdf')
    const put = await demand(person.call('PUT', path, { value, is_private: false }))
    expect(put).toMatchObject({ is_private: false, file: { bytes: expect.any(Number) } })
    expect(await person.call('GET', `${path}/file`)).toMatchObject({ status: 200, body: { encrypted: false, value } })
    for (const [bad, at] of [
      [envelope(JPEG_START, 'application/pdf'), '/body/value/file'],
      [envelope(Buffer.from('<svg/>'), 'image/svg+xml'), '/body/value/file'],
      [JSON.stringify({ file: dataUri('application/pdf', JPEG_START) }), '/body/value/original_name'],
      ['{}', '/body/value/file'],
      ['not an envelope', '/body/value'],
      [{}, '/body/value'],
      [await sealToSelf(person, value), '/body/value/_enc'],
    ] as const) {
      expect(await person.call('PUT', path, { value: bad, is_private: false })).toMatchObject(invalidAt(at))
    }
    const share = { connection_id: person.user.userId, slug: 'x', value: await sealToSelf(person, value) }
    expect(await person.call('PUT', path, { value: `${value} `, shares: [share] })).toMatchObject(
      invalidAt('/body/shares'),
    )
    expect(await person.call('GET', `${path}/file`)).toMatchObject({ body: { encrypted: false, value } })
    const sealed = await sealToSelf(person, value)
    await demand(person.call('PUT', path, { value: sealed, is_private: true }))
    expect(await person.call('GET', `${path}/file`)).toMatchObject({ body: { encrypted: true, value: sealed } })
  })

  test('above the cap of its lane is refused as too large, sealed or in the clear', async () => {
    const path = await contactPath(person, 'photo')
    const large = photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(5 * 1_048_576)]))
    const tooLarge = refused(413, 'request.too_large')
    expect(await person.call('PUT', path, { value: large, is_private: false })).toMatchObject(tooLarge)
    const sealed = await sealToSelf(person, photoEnvelope(Buffer.concat([JPEG_START, Buffer.alloc(8 * 1_048_576)])))
    expect(await person.call('PUT', path, { value: sealed })).toMatchObject(tooLarge)
    expect(await person.call('POST', `${path}/shares`, { value: sealed })).toMatchObject(tooLarge)
  })

  test('answers 404 for a value that is no file', async () => {
    const path = await contactPath(person, 'last_name')
    await demand(person.call('PUT', path, { value: await sealToSelf(person, 'Kovac') }))
    expect(await person.call('GET', `${path}/file`)).toMatchObject(NOTHING_HERE)
  })
})

describe('the same call twice', () => {
  test('changes nothing the second time', async () => {
    const path = await contactPath(person, 'address')
    const value = await sealToSelf(person, '{"street":"Quay 1"}')
    const first = await person.call('PUT', path, { value })
    two.clock.advance(60_000)
    const second = await person.call('PUT', path, { value })
    expect(second).toMatchObject({ status: 200, text: first.text })
    const other = await demand(person.call('PUT', path, { value: await sealToSelf(person, '{"street":"Quay 2"}') }))
    expect(other['updated_at']).not.toBe(first.body['updated_at'])
  })

  test('at the same time leaves one of the values, complete', async () => {
    const path = await contactPath(person, 'passport')
    const values = await Promise.all(['one', 'two', 'three', 'four'].map((text) => sealToSelf(person, text)))
    const puts = await Promise.all(values.map((value) => person.call('PUT', path, { value })))
    expect(puts.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { body } = await person.call('GET', `${path}/file`)
    expect(values).toContain(body['value'])
  })
})

describe('a company', () => {
  test('stores valid plain text, for its portal and for an account client with the capability [ACCT-06]', async () => {
    const login = await logIn(two, { email: northwind.email, authVerifier: northwind.login.authVerifier })
    const session = await openAccountClient(two, login, ['company_profile_fields'])
    const client = { call: (method: string, path: string, body?: unknown) => call(session, method, path, { body }) }
    const path = await contactPath(company, 'email')
    const value = 'desk@northwind.example'
    const put = await demand(client.call('PUT', path, { value }))
    expect(put).toMatchObject({ slug: 'email', is_private: false, value })
    expect(await company.call('GET', path)).toMatchObject({ status: 200, body: put })
    expect(await client.call('GET', '/api/contact-data')).toMatchObject({ body: { items: [{ value }] } })
    const logo = photoEnvelope()
    const logoPath = await contactPath(company, 'logo')
    await demand(client.call('PUT', logoPath, { value: logo }))
    expect(await client.call('GET', `${logoPath}/file`)).toMatchObject({ body: { encrypted: false, value: logo } })
    const photo = await demand(client.call('POST', '/api/photos', { file: PIXEL }), 201)
    expect(await company.call('GET', '/api/photos')).toMatchObject({ body: { items: [{ id: photo['id'] }] } })
    expect(await client.call('DELETE', path)).toMatchObject({ status: 204 })
    expect(await company.call('GET', path)).toMatchObject(NOTHING_HERE)
  })

  test('gets the faults of a value and cannot store a private one', async () => {
    const path = await contactPath(company, 'email')
    expect(await company.call('PUT', path, { value: 'no address' })).toMatchObject(invalidAt('/body/value'))
    expect(await company.call('PUT', path, { value: '' })).toMatchObject(invalidAt('/body/value'))
    const hidden = { value: 'desk@northwind.example', is_private: true }
    expect(await company.call('PUT', path, hidden)).toMatchObject(invalidAt('/body/is_private'))
    const address = await contactPath(company, 'address')
    const unknown = JSON.stringify({ planet: 'Mars' })
    expect(await company.call('PUT', address, { value: unknown })).toMatchObject(refused(400, 'request.invalid'))
    const theirs = await contactPath(company, 'passport')
    expect(await company.call('PUT', theirs, { value: '{"pages":[]}' })).toMatchObject(invalidAt('/path/fieldId'))
  })

  test('cannot reach its values with a data client', async () => {
    const data = await clientCalls(two, northwind.clientId, northwind.clientSecret)
    const path = await contactPath(company, 'email')
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect(await data(method, path, method === 'PUT' ? { body: { value: 'x' } } : {})).toMatchObject(
        refused(403, 'auth.client_endpoint_forbidden'),
      )
    }
    expect(await data('GET', '/api/contact-data')).toMatchObject(refused(403, 'auth.client_endpoint_forbidden'))
  })
})
