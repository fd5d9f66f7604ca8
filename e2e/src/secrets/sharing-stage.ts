import { AccountClient, AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { type DemoVerifier, logIn, northwind, signUp, waitUntil } from '@sealpost/testkit'
import { all } from '../sharing/parties.ts'
import { pdfWith, pngWith } from '../sharing/pictures.ts'
import { verifyField } from '../verify-field.ts'
import type { DocumentsSite } from './documents-stage.ts'
import type { Recorder } from './recorder.ts'
import type { Piece } from './search.ts'
import type { ClearMarks, SealedMarks } from './sharing-marks.ts'
import { recordedFetch } from './traffic.ts'

/** A service and a person whose requests and answers are all recorded. */
export interface SharingSite {
  readonly account: AccountClient
  readonly service: ServiceClient
  readonly key: ServiceKey
  readonly code: string
  readonly serviceId: string
  readonly passphrase: string
  /** PKCS#8. */
  readonly servicePrivateKey: Uint8Array
  readonly person: CustomerClient
  readonly session: { readonly token: string; readonly apiUrl: string }
  readonly personPrivateKey: Uint8Array
  readonly password: string
  readonly field: (slug: string) => string
  /** For calls that the clients above do not have. */
  readonly raw: Pick<DocumentsSite, 'clientId' | 'clientSecret' | 'user'>
}

export async function openSharingSite(
  { installation, record }: Recorder,
  clear: ClearMarks,
  openPem: (pem: string, passphrase: string) => Uint8Array,
): Promise<SharingSite> {
  const company = await logIn(installation, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  const account = new AccountClient({
    accessToken: () => Promise.resolve(company),
    pins: memoryPins(),
    fetch: recordedFetch('the company', record),
  })
  const made = await account.services.create({ name: 'Planted', admin_email: 'desk@northwind.example' })
  const { client_id: clientId, client_secret: clientSecret } = await account.dataClients.create(made.service.id)
  const pem = await account.services.exportPem(made.service.id, made.passphrase)
  const frontDoorUrl = installation.frontDoor.url
  const user = await signUp(installation, { userType: 'person', region: 'us', displayName: clear.display })
  const session = await logIn(installation, user)
  const personPrivateKey = user.keys.privateKey.reveal()
  const person = new CustomerClient({
    accessToken: () => Promise.resolve(session),
    key: await AccountKey.fromPkcs8(personPrivateKey),
    pins: memoryPins(),
    fetch: recordedFetch('the person', record),
  })
  const fields = new Map((await all(person.contactFields.list())).map(({ slug, id }) => [slug, id]))
  return {
    account,
    service: new ServiceClient({
      frontDoorUrl,
      clientId,
      clientSecret: clientSecret ?? '',
      pins: memoryPins(),
      fetch: recordedFetch('the service', record),
    }),
    key: await ServiceKey.fromPem(pem, made.passphrase),
    code: `${northwind.shareCode}/${made.service.share_code}`,
    serviceId: made.service.id,
    passphrase: made.passphrase,
    servicePrivateKey: openPem(pem, made.passphrase),
    person,
    session,
    personPrivateKey,
    password: user.password,
    field: (slug) => fields.get(slug) ?? '',
    raw: { clientId, clientSecret: clientSecret ?? '', user },
  }
}

/** Publishes the request fields of the service and the business card of the company. */
export async function prepareService(
  { account, service, serviceId, field }: SharingSite,
  clear: ClearMarks,
): Promise<void> {
  await service.requestFields.update(() => [
    { slug: 'name', label: 'Name', type: 'text', mandatory: true },
    { slug: 'home', label: 'Home', type: 'address' },
    { slug: 'note', label: 'Note', type: 'text' },
    { slug: 'birthplace', label: 'Place of birth', type: 'place_of_birth', verified: true },
    { slug: 'identity', label: 'Identity', type: 'proof_of_identity' },
    { slug: 'payslip', label: 'Payslip', type: 'pdf_document', one_time: true },
    { slug: 'face', label: 'Photo', type: 'photo' },
    { slug: 'card', label: 'Card', type: 'photo_id' },
  ])
  await account.contactData.put(field('website'), `https://${clear.business.replaceAll(' ', '-')}.example`)
  await account.shareFields.update(serviceId, () => [field('website')])
}

export async function fillVault(
  { person, field }: SharingSite,
  sealed: SealedMarks,
  clear: ClearMarks,
  verifier: DemoVerifier,
): Promise<void> {
  const { contactData } = person
  await contactData.put(field('first_name'), sealed.name)
  await contactData.put(field('address'), { street: sealed.street, city: sealed.city, country: 'ES' })
  const place = `${sealed.attested}, ES`
  await contactData.put(field('place_of_birth'), place, { exact: true })
  await verifyField(person, verifier, { id: field('place_of_birth'), type: 'place_of_birth', evidence: place })
  await contactData.put(field('passport'), passport(sealed, sealed.scan))
  const photo = { bytes: pngWith(clear.photo), mimeType: 'image/png', originalName: 'me.png' }
  await contactData.put(field('photo'), { file: photo }, { is_private: false })
  const page = { ...photo, bytes: pngWith(clear.card) }
  const entries = { document_number: clear.card, issuing_country: 'ES' }
  await contactData.put(field('id_card'), { pages: [page], name: clear.card, entries }, { is_private: false })
}

/** Connects, reads, edits, consents and re-maps. Returns the id of the connection. */
export async function share(site: SharingSite, sealed: SealedMarks): Promise<string> {
  const { person, field, code, account, serviceId } = site
  const made = await person.connect(code, {
    name: { from: field('first_name') },
    home: { from: field('address') },
    note: { value: sealed.typed },
    birthplace: { from: field('place_of_birth') },
    identity: { from: field('passport') },
    payslip: {
      value: { file: { bytes: pdfWith(sealed.payslip), mimeType: 'application/pdf', originalName: sealed.fileName } },
    },
    face: { from: field('photo') },
    card: { from: field('id_card') },
  })
  await person.contactData.put(field('first_name'), sealed.newName)
  await person.contactData.put(field('passport'), passport(sealed, sealed.newScan))
  await account.requestFields.update(serviceId, (rows) => [...rows, { slug: 'later', label: 'Later', type: 'text' }])
  await waitUntil('the person is asked for more', 20_000, async () => (await all(person.consents.list())).length > 0)
  await person.consents.provide(made.id, { later: { value: sealed.provided } })
  await person.connections.remap(made.id, { note: { value: sealed.remapped } })
  return made.id
}

/** Sends plaintext where a sealed value is required: it is refused and must not be stored. */
export async function forgetToSeal({ session, field }: SharingSite, connectionId: string, text: string): Promise<void> {
  const headers = { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${session.apiUrl}${path}`, { method, headers, body: JSON.stringify(body) })
    if (answer.status < 400) throw new Error(`${method} ${path} accepted a plaintext`)
  }
  const dataUri = `data:application/pdf;base64,${Buffer.from(pdfWith(text)).toString('base64')}`
  const envelope = JSON.stringify({ file: dataUri, original_name: text, mime_type: 'application/pdf', size: 1 })
  const shares = [{ connection_id: connectionId, slug: 'name', value: text }]
  await send('PUT', `/api/contact-data/${field('first_name')}`, { value: text, shares })
  await send('PUT', `/api/contact-data/${field('first_name')}`, { value: { text }, is_private: text })
  await send('PUT', `/api/contact-data/${field('passport')}`, { value: envelope, is_private: true })
  await send('POST', `/api/contact-data/${field('passport')}/shares`, { value: text })
  const decision = { request_field_id: connectionId, kind: 'typed', value: text, file: { file: dataUri, envelope } }
  await send('POST', '/api/company-connections', { code: 'NRTHWD/INTAKE', decisions: [decision] })
  await send('POST', `/api/company-connections/consents/${connectionId}/provide`, { decisions: [decision] })
  await send('GET', `/api/contact-data/${encodeURIComponent(text)}?value=${encodeURIComponent(text)}`, undefined)
}

function passport({ holder, documentNumber, fileName }: SealedMarks, scan: string) {
  const page = { bytes: pngWith(scan), mimeType: 'image/png', originalName: fileName, label: 'front' } as const
  return { pages: [page], name: holder, entries: { document_number: documentNumber, issuing_country: 'ES' } }
}

/** Everything that the company can open at the end. */
export async function readEverything({ service, key }: SharingSite, connectionId: string): Promise<readonly Piece[]> {
  const connection = await service.connections.get(connectionId)
  const opened = await service.values.decrypt(connection, key)
  const files = await Promise.all(
    Object.entries(connection.values).flatMap(([slug, { value_url: url }]) =>
      url === undefined
        ? []
        : [service.files.read(url, key).then(({ text, files: [first] }) => ({ slug, text, first }))],
    ),
  )
  const changes = await all(service.changes.drain())
  return [
    { place: 'opened values', content: JSON.stringify(opened) },
    ...files.flatMap(({ slug, text, first }) => [
      { place: `opened file ${slug}`, content: text ?? '' },
      { place: `opened file ${slug}`, content: first?.bytes ?? '' },
    ]),
    { place: 'changes', content: JSON.stringify(changes) },
  ]
}
