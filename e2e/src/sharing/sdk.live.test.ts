import { CustomerClient, isSealpostError, KeyChangedError, ValueError } from '@sealpost/sdk'
import { openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Company, openCompany, openPerson } from './parties.ts'
import { pdfWith, pngWith } from './pictures.ts'

const SOON = { timeout: scaled(20_000) }
const ADDRESS = { street: 'Calle Mayor', building_number: '7', city: 'Madrid', country: 'ES' }
const PHOTO = pngWith('a face')
const SCAN = pngWith('a passport')

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const company = await openCompany(world, northwind)
const bank = await openCompany(world, harborline)
const ana = await openPerson(world, await world.person({ displayName: 'Ana Gil' }))
/** Of the connection that a test makes and later ones use. */
let connectionId = ''

test('a company publishes the request fields of its service', async () => {
  const published = await company.service.requestFields.update(() => [
    { slug: 'name', label: 'First name', type: 'text', mandatory: true },
    { slug: 'home', label: 'Home', type: 'address' },
    { slug: 'face', label: 'Photo', type: 'photo' },
    { slug: 'identity', label: 'Identity document', type: 'legal_document' },
    { slug: 'payslip', label: 'Payslip', type: 'pdf_document', one_time: true },
    { slug: 'age', label: 'Age', type: 'integer' },
  ])
  expect(published.request_fields.map(({ slug }) => slug)).toEqual([
    'name',
    'home',
    'face',
    'identity',
    'payslip',
    'age',
  ])
  await bank.account.requestFields.update(bank.serviceId, () => [
    { slug: 'pass', label: 'Passport', type: 'proof_of_identity' },
    { slug: 'picture', label: 'Picture', type: 'photo' },
  ])
})

test('a person stores values that only her key opens', async () => {
  const { app, field } = ana
  await app.contactData.put(field('first_name'), 'Ana')
  await app.contactData.put(field('address'), ADDRESS)
  const picture = { bytes: PHOTO, mimeType: 'image/png', originalName: 'me.png' }
  await app.contactData.put(field('photo'), { file: picture }, { is_private: false })
  const front = { bytes: SCAN, mimeType: 'image/png', originalName: 'front.png', label: 'front' } as const
  const entries = { document_number: 'PA123456', expiry_date: '2031-04-01', issuing_country: 'ES' }
  await app.contactData.put(field('passport'), { pages: [front], name: 'Ana Gil', entries })

  const kept = await app.contactData.get(field('first_name'))
  expect(kept.is_private).toBe(true)
  expect(kept.value).not.toContain('Ana')
  expect(await app.contactData.open(field('first_name'))).toMatchObject({ kind: 'text', value: 'Ana' })
  expect(await app.contactData.open(field('address'))).toMatchObject({ kind: 'parts', value: ADDRESS })
  expect(await app.contactData.open(field('passport'))).toMatchObject({
    kind: 'files',
    envelope: { name: 'Ana Gil', entries },
  })
})

test('a value that its type refuses is not sent', async () => {
  const { app, field } = ana
  const error = await app.contactData.put(field('email'), 'not an address').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ValueError)
  expect(String(error)).not.toContain('not an address')
  await expect(app.contactData.get(field('email'))).rejects.toMatchObject({ key: 'request.not_found' })
})

test('she connects, and the company opens what she shares, files included', async () => {
  const { app, field } = ana
  const offer = await app.lookup(company.code.toLowerCase())
  expect(offer.service.service_id).toBe(company.serviceId)
  await expect(app.connect(company.code, {})).rejects.toMatchObject({ key: 'company_connections.mandatory_missing' })

  const payslip = { bytes: pdfWith('a payslip'), mimeType: 'application/pdf', originalName: 'may.pdf' }
  const made = await app.connect(company.code, {
    name: { from: field('first_name') },
    home: { from: field('address') },
    face: { from: field('photo') },
    identity: { from: field('passport') },
    payslip: { value: { file: payslip } },
    age: { value: 42 },
  })
  connectionId = made.id

  const connection = await company.service.connections.get(connectionId)
  expect(connection).toMatchObject({ display_name: 'Ana Gil', customer_type: 'person', pending_consent: [] })
  const opened = await company.service.values.decrypt(connection, company.key)
  const about = { attestation: 'not_attested', authenticity: 'signed', live: true }
  expect(opened['name']).toMatchObject({ kind: 'text', value: 'Ana', ...about })
  expect(opened['home']).toMatchObject({ kind: 'parts', value: ADDRESS, problems: [] })
  expect(opened['age']).toMatchObject({ kind: 'number', value: 42 })
  const urlOf = (slug: string): string => connection.values[slug]?.value_url ?? ''
  const face = await company.service.files.read(urlOf('face'))
  expect(face).toMatchObject({ kind: 'raw', files: [{ mimeType: 'image/png' }] })
  expect(Buffer.from(face.files[0]?.bytes ?? [])).toEqual(Buffer.from(PHOTO))
  const identity = await company.service.files.read(urlOf('identity'), company.key)
  expect(identity).toMatchObject({ kind: 'sealed', name: 'Ana Gil', entries: { document_number: 'PA123456' } })
  expect(await company.service.files.readShared(connection, 'identity', company.key)).toMatchObject({
    kind: 'sealed',
    authenticity: 'signed',
  })
  expect(identity.sha256).toBe(connection.values['identity']?.content_sha256)
  const slip = await company.service.files.read(urlOf('payslip'), company.key)
  expect(slip.files[0]).toMatchObject({ originalName: 'may.pdf', mimeType: 'application/pdf' })
  expect(connection.values['payslip']?.live).toBe(false)
})

test('an edit reaches every service that follows the field, sealed to each', async () => {
  const { app, field } = ana
  for await (const _ of company.service.changes.drain()) continue
  await app.connect(bank.code, { pass: { from: field('passport') }, picture: { from: field('photo') } })
  await app.contactData.put(field('first_name'), 'Anna')
  await app.contactData.put(field('passport'), {
    pages: [{ bytes: SCAN, mimeType: 'image/png', originalName: 'new.png', label: 'front' }],
    name: 'Anna Gil',
    entries: { document_number: 'PA999999', issuing_country: 'ES' },
  })

  await expect.poll(async () => (await readName()).text, SOON).toBe('Anna')
  await expect.poll(async () => (await passportAt(bank)).entries['document_number'], SOON).toBe('PA999999')
  expect((await passportAt(company)).name).toBe('Anna Gil')
  const seen: string[] = []
  for await (const change of company.service.changes.drain()) {
    if (change.event === 'field_updated') seen.push(change.slug)
    if (change.event === 'field_updated' && change.slug === 'name') {
      const { value } = await company.service.values.decryptValue(change, change.type ?? '', company.key)
      expect(value).toBe('Anna')
    }
  }
  expect(seen.toSorted()).toEqual(['identity', 'name'])
})

test('a field that becomes public is served in the clear, in the form of its type', async () => {
  const { app, field } = ana
  const { envelope } = (await app.contactData.open(field('passport'))) as { envelope: { text: string } }
  await app.contactData.put(field('passport'), envelope.text, { is_private: false })

  await expect.poll(async () => (await passportAt(bank)).kind, SOON).toBe('clear')
  expect((await passportAt(bank)).entries['document_number']).toBe('PA999999')
})

test('new rows wait for consent; she provides one and withdraws another', async () => {
  const { app } = ana
  await company.account.requestFields.update(company.serviceId, (rows) => [
    ...rows,
    { slug: 'phone', label: 'Phone', type: 'phone' },
    { slug: 'site', label: 'Site', type: 'url' },
  ])
  const pending = async (): Promise<readonly string[]> => {
    for await (const consent of app.consents.list()) {
      if (consent.id === connectionId) return consent.request_fields.map(({ slug }) => slug)
    }
    return []
  }
  await expect.poll(pending, SOON).toEqual(['phone', 'site'])
  await app.consents.provide(connectionId, { site: { value: 'ana.example' } })
  await app.consents.decline(connectionId)
  const after = await app.connections.remap(connectionId, { age: null, site: { value: 'https://gil.example' } })
  expect(after.services[0]?.mappings.map(({ slug }) => slug).toSorted()).toEqual([
    'face',
    'home',
    'identity',
    'name',
    'payslip',
    'site',
  ])
  const slugs = async (): Promise<readonly string[]> =>
    Object.keys((await company.service.connections.get(connectionId)).values).toSorted()
  await expect.poll(slugs, SOON).toEqual(['face', 'home', 'identity', 'name', 'payslip', 'site'])
  const opened = await company.service.values.decrypt(await company.service.connections.get(connectionId), company.key)
  expect(opened['site']).toMatchObject({ value: 'https://gil.example' })
})

test('a connect request is accepted with answers', async () => {
  const ben = await openPerson(world, await world.person())
  const { request_id: id } = await company.service.connectRequests.create({ share_code: ben.user.shareCode })
  const received = async () => {
    for await (const request of ben.app.connectRequests.list()) if (request.id === id) return request
    return null
  }
  await expect.poll(received, SOON).not.toBeNull()
  const request = await received()
  if (request === null) throw new Error('no request')
  await ben.app.contactData.put(ben.field('first_name'), 'Ben')
  const made = await ben.app.connectRequests.accept(request, { name: { from: ben.field('first_name') } })
  const seen: string[] = []
  for await (const connection of company.service.connections.list()) seen.push(connection.id)
  expect(seen).toEqual([connectionId, made.id])
  await company.service.connections.end(made.id)
  await expect(company.service.connections.get(made.id)).rejects.toMatchObject({
    key: 'company_data.connection_not_found',
  })
})

test('a company that creates a service gets its passphrase once and can export the key file', async () => {
  const made = await company.account.services.create({ name: 'Newsletter', admin_email: 'desk@northwind.example' })
  expect(made.passphrase).toMatch(/^[\w-]{43}$/)
  expect(made.recovery_copy_id).not.toBeNull()
  const pem = await company.account.services.exportPem(made.service.id, made.passphrase)
  expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/)
  const wrong = company.account.services.exportPem(made.service.id, 'not it')
  await expect(wrong).rejects.toMatchObject({ refusal: 'wrong_passphrase' })
  await company.account.services.delete(made.service.id)
})

test('a public key that the platform has replaced is not used', async () => {
  const pins = new Map([[`service:${company.code}`, 'ab'.repeat(32)]])
  const wary = new CustomerClient({ accessToken: () => Promise.resolve(ana.session), pins })
  const error = await wary.connect(company.code, { age: { value: 1 } }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(KeyChangedError)
})

test('she disconnects, and the company has no values left', async () => {
  await ana.app.connections.disconnect(connectionId)
  const gone = await company.service.connections.get(connectionId).catch((reason: unknown) => reason)
  expect(isSealpostError(gone, 'company_data.connection_not_found')).toBe(true)
  const events: string[] = []
  for await (const { event } of company.service.changes.drain()) events.push(event)
  expect(events).toContain('connection_deleted')
})

async function readName() {
  const connection = await company.service.connections.get(connectionId)
  const place = { connectionId, slug: 'name' }
  return company.service.values.decryptValue(connection.values['name'] ?? {}, 'text', company.key, place)
}

async function passportAt({ service, key }: Company) {
  for await (const { values } of service.connections.list()) {
    const value = values['identity'] ?? values['pass']
    if (value?.value_url !== undefined) return service.files.read(value.value_url, key)
  }
  throw new Error('no passport')
}
