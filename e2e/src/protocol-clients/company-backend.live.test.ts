import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { hmacSha256, open, openPrivateKey, type PassphraseWrap, privateKeyOf, seal, sha256 } from './crypto.ts'
import { call, countCalls, listOf, membersOf, must, type Reply, refusalOf, requestToken } from './http.ts'
import { startReceiver } from './receiver.ts'
import { readXml } from './xml.ts'

const DATA = '/api/company-data'
const XML = { accept: 'application/xml' }
const UNKNOWN = '019a0000-0000-7000-8000-00000000dead'
const PHOTO = JSON.stringify({ full: `data:image/jpeg;base64,${Buffer.from([255, 216, 255, 224]).toString('base64')}` })

const world = await openWorld()
const [front, eu, us] = [world.frontDoor.url, world.eu.url ?? '', world.us.url ?? '']
const backend = await openBackend(world, [
  { slug: 'mail', type: 'email' },
  { slug: 'face', type: 'photo' },
  { slug: 'reason', type: 'text', one_time: true },
])
const { data, automation, portal, key, serviceId } = backend
const person = await world.person()
const device = { url: person.apiUrl, token: person.token }
const mailField = await contactField('email')
await putMail('mara@home.example', [])
const connectionId = await connect()
const slotUrl = `${DATA}/connections/${connectionId}/slots/${backend.fieldId('face')}/file`

async function contactField(slug: string): Promise<string> {
  const { items } = await must(200, call(device, 'GET', '/api/contact-fields?limit=500'))
  return String(listOf(items).find((field) => field['slug'] === slug)?.['id'])
}

/** The person's device stores its own copy and one for each service that has the value live. */
async function putMail(text: string, connections: readonly string[]): Promise<void> {
  const value = seal(key.members.public_key, text)
  const shares = connections.map((connection_id) => ({ connection_id, slug: 'mail', value }))
  const body = { value: seal(person.keys.publicKey, text), is_private: true, shares }
  await must(200, call(device, 'PUT', `/api/contact-data/${mailField}`, { body }))
}

async function connect(): Promise<string> {
  const sealed = (text: string): string => seal(key.members.public_key, text)
  const row = (slug: string) => ({ request_field_id: backend.fieldId(slug) })
  const decisions = [
    { ...row('mail'), kind: 'linked', source_field_id: mailField, value: sealed('mara@home.example') },
    { ...row('face'), kind: 'typed', file: { value: sealed(PHOTO) } },
    { ...row('reason'), kind: 'one_time', value: sealed('curious') },
  ]
  const body = { code: backend.code, decisions }
  return String((await must(201, call(device, 'POST', '/api/company-connections', { body })))['id'])
}

function drain(query = ''): Promise<Reply> {
  return call(data, 'GET', `${DATA}/changes${query}`)
}

describe('a token', () => {
  test('is issued at every region, with the address of the home when that is another one', async () => {
    const [home, away] = [await requestToken(eu, backend.client), await requestToken(us, backend.client)]
    expect(home.body).toEqual({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String) })
    expect(away).toMatchObject({ status: 200, body: { token_type: 'Bearer', api_url: eu } })
    const follower = { url: String(away.body['api_url']), token: String(away.body['access_token']) }
    expect((await call(follower, 'GET', `${DATA}/whoami`)).body).toMatchObject({ service_id: serviceId })
  })

  test('for a code is issued at the front door only', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', ...backend.client }
    const refused = await call({ url: eu, token: null }, 'POST', '/oauth2/token', { form })
    expect([...refusalOf(refused), refused.body['api_url']]).toEqual([421, 'region.rebase_required', front])
  })

  test('reaches the data at its home, and is referred there elsewhere', async () => {
    const whoami = { company_user_id: backend.company.companyId, service_id: serviceId }
    expect((await call(data, 'GET', `${DATA}/whoami`)).body).toEqual(whoami)
    expect((await call(data, 'GET', `${DATA}/whoami`, { headers: XML })).xml()).toEqual(whoami)
    for (const url of [front, us]) {
      const refused = await call({ ...data, url }, 'GET', `${DATA}/whoami`)
      expect([...refusalOf(refused), refused.body['api_url']]).toEqual([421, 'region.rebase_required', eu])
    }
  })
})

describe('the customer', () => {
  test('sees the type of a request row as text, and the resolved type beside it', async () => {
    const offer = await must(200, call(device, 'GET', `/api/company-connections/lookup/${backend.code}`))
    const record = await must(200, call(device, 'GET', `/api/company-connections/${connectionId}`))
    const [link] = listOf(record['services'])
    for (const rows of [offer['request_fields'], link?.['request_fields']]) {
      const [mail] = listOf(rows)
      expect(mail).toMatchObject({ type: 'email', field_type: 'email', resolved_type: { input: 'line' } })
    }
  })
})

describe('connections', () => {
  test('carry values that only the key of the service opens, as JSON and as XML', async () => {
    const { total, items } = await must(200, call(data, 'GET', `${DATA}/connections`))
    expect([total, listOf(items).map(({ id }) => id)]).toEqual([1, [connectionId]])
    const path = `${DATA}/connections/${connectionId}`
    const record = await must(200, call(data, 'GET', path))
    expect(record).toMatchObject({ person_id: person.userId, share_code: person.shareCode, customer_type: 'person' })
    const inXml = membersOf((await call(data, 'GET', path, { headers: XML })).xml())
    for (const values of [membersOf(record['values']), membersOf(inXml['values'])]) {
      expect(open(key.privateKey, membersOf(values['mail'])['value'])).toBe('mara@home.example')
      expect(open(key.privateKey, membersOf(values['reason'])['value'])).toBe('curious')
      expect(membersOf(values['face'])['value_url']).toBe(slotUrl)
    }
    expect(membersOf(membersOf(record['values'])['reason'])['live']).toBe(false)
  })

  test('that are unknown answer 404, in the format that was asked for', async () => {
    const path = `${DATA}/connections/${UNKNOWN}`
    expect(refusalOf(await call(data, 'GET', path))).toEqual([404, 'company_data.connection_not_found'])
    const inXml = await call(data, 'GET', path, { headers: XML })
    expect([inXml.status, membersOf(inXml.xml())['error_key']]).toEqual([404, 'company_data.connection_not_found'])
  })

  test('are opened with the key that the platform keeps, by its passphrase', async () => {
    const kept = await must(200, call(automation, 'GET', `/api/services/${serviceId}/private-key`))
    const opened = openPrivateKey(kept['encrypted_private_key'] as PassphraseWrap, key.passphrase)
    expect(opened.equals(key.privateKey)).toBe(true)
  })
})

describe('a file', () => {
  test('is JSON with its digest, also for a caller that accepts XML', async () => {
    for (const headers of [{}, XML]) {
      const file = await call(data, 'GET', slotUrl, { headers })
      expect([file.status, file.headers.get('x-platform-content-sha256')]).toEqual([200, sha256(file.bytes)])
      expect(file.body['encrypted']).toBe(true)
      expect(open(key.privateKey, file.body['value'])).toBe(PHOTO)
    }
  })

  test('of an unknown connection has another error key than an empty slot', async () => {
    const path = (id: string, slot: string): string => `${DATA}/connections/${id}/slots/${slot}/file`
    for (const [at, error] of [
      [path(UNKNOWN, backend.fieldId('face')), 'company_data.connection_not_found'],
      [path(connectionId, UNKNOWN), 'company_data.file_not_found'],
      [path(connectionId, backend.fieldId('mail')), 'company_data.file_not_found'],
    ] as const) {
      expect(refusalOf(await call(data, 'GET', at, { headers: XML }))).toEqual([404, error])
    }
  })
})

describe('the feed', () => {
  test('is drained by attempts: the same attempt answers the same events, a later one has none left', async () => {
    const first = await drain('?attempt_id=one')
    expect(listOf(first.body['changes'])).toMatchObject([
      { event: 'connection_created', connection_id: connectionId, service_id: serviceId, customer_type: 'person' },
    ])
    const again = await drain('?attempt_id=one')
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect((await drain('?attempt_id=two')).body).toEqual({ changes: [], has_more: false })
    expect(refusalOf(await drain('?attempt_id=one&limit=7'))).toEqual([400, 'company_data.attempt_invalid'])
  })

  test('has the value of an edit, sealed, and the type of the customer on every event', async () => {
    await putMail('mara@work.example', [connectionId])
    const events: unknown[] = []
    const arrived = async (): Promise<number> => events.push(...listOf((await drain()).body['changes']))
    await expect.poll(arrived).toBe(1)
    const [event] = events.map(membersOf)
    expect(event).toMatchObject({ event: 'field_updated', slug: 'mail', live: true, customer_type: 'person' })
    expect(open(key.privateKey, event?.['value'])).toBe('mara@work.example')
  })

  test('answers XML, too', async () => {
    await putMail('mara@third.example', [connectionId])
    let changes: unknown = ''
    const poll = async (): Promise<unknown> => {
      changes = membersOf((await call(data, 'GET', `${DATA}/changes`, { headers: XML })).xml())['changes']
      return changes
    }
    await expect.poll(poll).not.toBe('')
    const [event] = listOf(changes)
    expect(event).toMatchObject({ event: 'field_updated', customer_type: 'person', live: 'true' })
    expect(open(key.privateKey, event?.['value'])).toBe('mara@third.example')
  })
})

describe('webhooks', () => {
  test('are signed over the raw body, in JSON, in XML and in the envelope of the account key', async () => {
    const receiver = await startReceiver()
    world.onEnd(() => receiver.close())
    const path = `/api/services/${serviceId}/webhooks`
    const make = (members: object) =>
      must(201, call(automation, 'POST', path, { body: { url: receiver.url, events: ['field_updated'], ...members } }))
    const hooks = [await make({}), await make({ format: 'xml' }), await make({ encrypt_payload: true })]
    await putMail('mara@hook.example', [connectionId])
    await expect.poll(() => receiver.deliveries.length).toBe(3)
    for (const hook of hooks) await must(204, call(automation, 'DELETE', `${path}/${String(hook['id'])}`))
    const accountKey = privateKeyOf(backend.company.keys.privateKey.reveal())
    const readers: readonly ((body: string) => unknown)[] = [
      (body) => JSON.parse(body),
      readXml,
      (body) => JSON.parse(open(accountKey, body, 'sha1')),
    ]
    for (const [place, hook] of hooks.entries()) {
      const sent = receiver.deliveries.find(({ headers }) => headers['x-platform-webhook-id'] === hook['id'])
      const expected = hmacSha256(String(hook['hmac_secret_once']), Buffer.from(sent?.body ?? ''))
      expect(sent?.headers['x-platform-signature']).toBe(expected)
      const event = membersOf(readers[place]?.(sent?.body ?? ''))
      expect(event).toMatchObject({ event: 'field_updated', connection_id: connectionId, customer_type: 'person' })
      expect(open(key.privateKey, event['value'])).toBe('mara@hook.example')
    }
  })
})

describe('the registry and keys/batch', () => {
  const batch = (users: readonly string[], access = data, headers = {}) =>
    call(access, 'POST', '/api/keys/batch', { body: { user_ids: users }, headers })

  test('answer JSON whatever is accepted, also for a refusal', async () => {
    const registry = await call(data, 'GET', '/api/contact-field-types', { headers: XML })
    expect(registry.headers.get('content-type')).toMatch(/^application\/json/)
    expect(listOf(registry.json())).toContainEqual(expect.objectContaining({ type: 'text', parent: null }))
    expect((await batch([person.userId], data, XML)).body).toEqual({ keys: { [person.userId]: person.keys.publicKey } })
    const refused = [
      await call({ url: eu, token: null }, 'GET', '/api/contact-field-types', { headers: XML }),
      await call(data, 'POST', '/api/keys/batch', { body: { user_ids: 'x' }, headers: XML }),
    ]
    expect(refused.map(refusalOf)).toEqual([
      [401, 'auth.token_missing'],
      [400, 'request.invalid'],
    ])
  })

  test('give a caller its own key, and strangers none', async () => {
    const { companyId, keys } = backend.company
    expect((await batch([companyId])).body).toEqual({ keys: { [companyId]: key.members.public_key } })
    expect((await batch([companyId], portal)).body).toEqual({ keys: { [companyId]: keys.publicKey } })
    expect((await batch([person.userId], device)).body).toEqual({ keys: { [person.userId]: person.keys.publicKey } })
    expect((await batch([UNKNOWN])).body).toEqual({ keys: {} })
  })

  test('agree with the keys by share code', async () => {
    const found = await must(200, call(data, 'GET', `/api/keys/${person.shareCode}`))
    const { publicKey } = person.keys
    const digest = sha256(Buffer.from(publicKey, 'base64'))
    expect(found).toMatchObject({ public_key: publicKey, public_key_sha256: digest, user_id: person.userId })
    const own = await must(200, call(data, 'GET', `/api/keys/${backend.code}`))
    expect(own).toMatchObject({ public_key: key.members.public_key, service_id: serviceId })
  })
})

test('a company that is a customer is told when the service ends the connection', async () => {
  const buyer = await world.company({ region: 'us' })
  const access = { url: buyer.apiUrl, token: buyer.token }
  const body = { code: backend.code, decisions: [] }
  const { id } = await must(201, call(access, 'POST', '/api/company-connections', { body }))
  await must(204, call(data, 'DELETE', `${DATA}/connections/${String(id)}`))
  const news: unknown[] = []
  const kinds = async (): Promise<readonly unknown[]> => {
    const { changes } = await must(200, call(access, 'GET', '/api/customer/changes'))
    news.push(...listOf(changes).map(({ event, connection_id }) => [event, connection_id]))
    return news
  }
  await expect.poll(kinds).toEqual([
    ['connection_created', id],
    ['connection_deleted', id],
  ])
})

test('the account key is for the portal login only', async () => {
  const kept = await must(200, call(portal, 'GET', '/api/account-key'))
  expect(kept).toMatchObject({ public_key: backend.company.keys.publicKey })
  expect(refusalOf(await call(automation, 'GET', '/api/account-key'))).toEqual([403, 'auth.client_endpoint_forbidden'])
})

test('this file has made more than forty calls', () => {
  expect(countCalls()).toBeGreaterThan(40)
})
