import { createServiceKey, generateKeyPair } from '@sealpost/crypto'
import { seedRows } from '@sealpost/field-types'
import { beforeAll, expect, test } from 'vitest'
import { optionsFor, refusal, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import { AccountKey, CustomerClient, KeyChangedError, memoryPins, ServiceKey, ValueError } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'
import { PublicKey } from '../keys/public-key.ts'

const FIELD = '0196a8c4-5e6f-7a10-8b2c-000000000001'
const REQUEST = { client_id: 'idw_1', redirect_uri: 'https://app.example/back', state: 's' }
const VERIFIED = { verified_hash: 'h', verified_salt: 'salt', verified_at: 'then', verified_method: 'email_code' }

let ownKey: AccountKey
let appKey: ServiceKey
let appPublicKey = ''
let otherPublicKey = ''

beforeAll(async () => {
  const own = await generateKeyPair(hostPlatform())
  ownKey = await AccountKey.fromPkcs8(own.privateKey.reveal())
  otherPublicKey = own.publicKey
  const app = await createServiceKey(hostPlatform())
  appPublicKey = app.publicKey
  appKey = await ServiceKey.fromWrap(app.encryptedPrivateKey, app.passphrase.reveal())
})

function viewWith(app: object, claim: object = {}) {
  const about = { client_id: 'idw_1', name: 'App', company_name: 'Acme', require_2fa: false, public_key: appPublicKey }
  return {
    app: { ...about, claims_delivery: 'encrypted', ...app },
    service: null,
    mode: 'signin',
    claims: [{ name: 'mail', type: 'email', label: null, suggest: null, required: true, verified: false, ...claim }],
    connected: false,
    enrolled: false,
    offer: null,
    assertion_challenge: null,
  }
}

/** A front door that shows these requests, one after the other, and a person with a verified address. */
async function startPerson(...views: readonly object[]) {
  let shown = 0
  const value = await (await PublicKey.import(otherPublicKey)).seal('ana@post.example')
  const region = await startRegion(({ method, path }) => {
    if (path.startsWith('/oauth2/authorize') && method === 'GET') return { status: 200, json: views[shown++] }
    if (path.startsWith('/oauth2/authorize')) return { status: 200, json: { done: true } }
    if (path.startsWith('/api/contact-field-types')) return { status: 200, json: seedRows }
    if (path.startsWith('/api/contact-data')) {
      const about = { field_id: FIELD, slug: 'email', label: 'E-mail', type: 'email', is_private: true }
      return { status: 200, json: { ...about, value, updated_at: 'then', ...VERIFIED } }
    }
    return refusal(404, 'request.not_found')
  })
  const frontDoor = await startFrontDoor(() => region.url)
  const client = new CustomerClient({ ...optionsFor(frontDoor), key: ownKey, pins: memoryPins() })
  return {
    requests: client.authorizations(region.url),
    sent: () => region.received.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : [])),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

test('a claim is sealed to the app, with its attestation where the app wants one', async () => {
  await using person = await startPerson(viewWith({}, { verified: true }))
  const record = await person.requests.read(REQUEST)
  expect(await person.requests.approve(REQUEST, record, { claims: { mail: { from: FIELD } } })).toEqual({ done: true })
  const [{ values, values_attestation: attestations, ...rest }] = person.sent()
  expect(rest).toEqual({ ...REQUEST, decision: 'approve' })
  expect(await appKey.open(values.mail)).toBe('ana@post.example')
  const { verified_hash: hash, verified_salt: salt, ...about } = VERIFIED
  expect(JSON.parse(await appKey.open(attestations.mail))).toEqual({ hash, salt, ...about })
})

test('the key of an app is pinned: another one gets nothing', async () => {
  await using person = await startPerson(viewWith({}), viewWith({ public_key: otherPublicKey }))
  const claims = { mail: { value: 'ana@post.example' } }
  await person.requests.approve(REQUEST, await person.requests.read(REQUEST), { claims })
  const forged = await person.requests.read(REQUEST)
  await expect(person.requests.approve(REQUEST, forged, { claims })).rejects.toThrow(KeyChangedError)
  expect(person.sent()).toHaveLength(1)
})

test('a typed value is validated, and sent as text only to an app that takes text', async () => {
  await using person = await startPerson(viewWith({ claims_delivery: 'plaintext' }))
  const record = await person.requests.read(REQUEST)
  const [allowPlaintext, mail] = [true, { value: 'no address' }]
  const wrong = person.requests.approve(REQUEST, record, { claims: { mail }, allowPlaintext })
  await expect(wrong).rejects.toThrow(ValueError)
  const claims = { mail: { value: 'ana@post.example' } }
  await person.requests.approve(REQUEST, record, { claims, allowPlaintext })
  await person.requests.deny(REQUEST)
  expect(person.sent()).toEqual([
    { ...REQUEST, decision: 'approve', values: { mail: 'ana@post.example' } },
    { ...REQUEST, decision: 'deny' },
  ])
})

test('no server makes this client send text that the person has not agreed to for this app', async () => {
  const [sealed, text] = [viewWith({}), viewWith({ claims_delivery: 'plaintext' })]
  await using person = await startPerson(text, text, sealed, text, text)
  const { requests } = person
  const claims = { mail: { value: 'ana@post.example' } }
  const approve = async (how: object = {}) => {
    const record = await requests.read(REQUEST)
    const delivery = await requests.delivery(record)
    const failure = await requests.approve(REQUEST, record, { claims, ...how }).then(
      () => null,
      (error: unknown) => error,
    )
    return { delivery, refusal: failure }
  }
  const notAgreed = expect.objectContaining({ reason: 'plaintext_not_agreed', subject: 'idw_1' })
  expect(await approve()).toEqual({ delivery: 'text', refusal: notAgreed })
  expect(await approve({ allowPlaintext: true })).toEqual({ delivery: 'text', refusal: null })
  expect(await approve()).toEqual({ delivery: 'sealed', refusal: null })
  expect(await approve()).toEqual({ delivery: 'was_sealed', refusal: notAgreed })
  expect(await approve({ allowPlaintext: true })).toEqual({ delivery: 'was_sealed', refusal: null })
  expect(person.sent().map(({ values }) => values.mail === 'ana@post.example')).toEqual([true, false, true])
})

test('an agreement is remembered, and a request of another mode is sealed in spite of it', async () => {
  const text = viewWith({ claims_delivery: 'plaintext' })
  await using person = await startPerson(text, text, { ...text, mode: 'one_time' }, text)
  const claims = { mail: { value: 'ana@post.example' } }
  for (const how of [{ allowPlaintext: true }, {}, {}, {}])
    await person.requests.approve(REQUEST, await person.requests.read(REQUEST), { claims, ...how })
  expect(person.sent().map(({ values }) => values.mail === 'ana@post.example')).toEqual([true, true, false, true])
})
