import { isSealpostError } from '@sealpost/sdk'
import { type DemoVerifier, harborline, type Installation, northwind, signUp } from '@sealpost/testkit'
import { all, type Company, openCompany, openPerson, type Person } from '../sharing/parties.ts'
import { pdfWith, pngWith } from '../sharing/pictures.ts'
import type { Hops } from './hops.ts'

const HOME = { street: 'Elm Street', building_number: '12', city: 'Portland', state: 'OR', country: 'US' }
const BORN = '1990-04-01'
const PHOTO = pngWith('a face')
const PAYSLIP = pdfWith('a payslip')
/** A day more than what is shared once is kept. */
const DAYS_LATER = 91

/** What both sides share from connect to disconnect. */
export interface Sharing {
  readonly hops: Hops
  readonly company: Company
  readonly person: Person
  readonly connectionId: string
}

/** A person in us, a clinic in eu, a bank in us: connect, share, read, verify, edit. */
export async function walkSharing(hops: Hops, installation: Installation, verifier: DemoVerifier): Promise<Sharing> {
  const user = await signUp(installation, { userType: 'person', region: 'us', displayName: 'Ana Gil' })
  const person = await openPerson(installation, user)
  const me = await person.app.me()
  hops.check('a person registers, confirms her address and logs in, in us', me.region === 'us' && me.id === user.userId)
  const company = await openCompany(installation, northwind)
  await publish(hops, company)
  await fillProfile(hops, person, verifier)
  const connectionId = await connect(hops, company, person)
  const sharing = { hops, company, person, connectionId }
  await readShared(sharing)
  await readFiles(sharing)
  await shareInTheClear(hops, person, await openCompany(installation, harborline))
  await edit(sharing)
  return sharing
}

async function publish(hops: Hops, { service }: Company): Promise<void> {
  const { request_fields: rows } = await service.requestFields.update(() => [
    { slug: 'name', label: 'First name', type: 'text', mandatory: true },
    { slug: 'home', label: 'Home', type: 'address' },
    { slug: 'born', label: 'Born on', type: 'date_of_birth', verified: true },
    { slug: 'face', label: 'Photo', type: 'photo' },
    { slug: 'identity', label: 'Identity document', type: 'legal_document' },
    { slug: 'payslip', label: 'Payslip', type: 'pdf_document', one_time: true },
  ])
  hops.check('the clinic in eu publishes what its service asks for', rows.length === 6)
}

async function fillProfile(hops: Hops, { app, field }: Person, verifier: DemoVerifier): Promise<void> {
  const { contactData, verifications } = app
  await contactData.put(field('first_name'), 'Ana')
  await contactData.put(field('address'), HOME)
  await contactData.put(field('date_of_birth'), BORN)
  const photo = { bytes: PHOTO, mimeType: 'image/png', originalName: 'me.png' }
  await contactData.put(field('photo'), { file: photo }, { is_private: false })
  const page = { ...photo, originalName: 'front.png', label: 'front' } as const
  const entries = { document_number: 'PA123456', expiry_date: '2031-04-01', issuing_country: 'US' }
  await contactData.put(field('passport'), { pages: [page], name: 'Ana Gil', entries })
  await contactData.put(field('id_card'), { pages: [page], name: 'Ana Gil', entries }, { is_private: false })
  const kept = await contactData.get(field('first_name'))
  hops.check('her values are kept sealed to her own key', kept.value?.includes('_enc') === true)
  const begun = await verifications.begin(field('date_of_birth'), 'demo_id')
  const { statement } = await verifier.attest({
    verification_id: begun.verification_id,
    challenge: begun.challenge ?? '',
    field_type: 'date_of_birth',
    evidence: BORN,
  })
  const verified = await verifications.confirm(field('date_of_birth'), begun.verification_id, { statement })
  hops.check('a provider vouches for her date of birth', verified.verified_provider === 'demo_id')
}

async function connect(hops: Hops, { code, serviceId }: Company, { app, field }: Person): Promise<string> {
  const offer = await app.lookup(code)
  hops.check(`she finds the service in eu under ${code}`, offer.service.service_id === serviceId)
  const bare = await app.connect(code, {}).catch((reason: unknown) => reason)
  const isMissing = isSealpostError(bare, 'company_connections.mandatory_missing')
  hops.check('without what is mandatory she is not connected', isMissing && bare.details.slugs.join() === 'name')
  const made = await app.connect(code, {
    name: { from: field('first_name') },
    home: { from: field('address') },
    born: { from: field('date_of_birth') },
    face: { from: field('photo') },
    identity: { from: field('passport') },
    payslip: { value: { file: { bytes: PAYSLIP, mimeType: 'application/pdf', originalName: 'may.pdf' } } },
  })
  hops.check('she connects across regions and shares six answers', made.services[0]?.mappings.length === 6)
  return made.id
}

async function readShared({ hops, company, person, connectionId }: Sharing): Promise<void> {
  const { service, key } = company
  const listed = await all(service.connections.list())
  const connection = listed.find(({ id }) => id === connectionId)
  if (connection === undefined) return hops.check('the clinic lists the connection', false)
  hops.check('the clinic lists the connection', connection.share_code === person.user.shareCode)
  const opened = await service.values.decrypt(connection, key)
  const { name, home, born } = opened
  hops.check('it opens her name with its own key', name?.kind === 'text' && name.value === 'Ana')
  const isHome = home?.kind === 'parts' && JSON.stringify(home.value) === JSON.stringify(HOME)
  hops.check('it opens her address, part by part', isHome)
  hops.check('her date of birth is attested, her name is not', isAttested(born) && !isAttested(name))
  const other = await service.values.verify(connection.values['born'] ?? {}, '1990-04-02')
  hops.check('another date with the same attestation is not attested', other === 'not_attested')
  const created = await all(service.changes.drain())
  hops.check(
    'the feed tells that she connected',
    created.some((change) => change.event === 'connection_created' && change.connection_id === connectionId),
  )
}

function isAttested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'attestation' in value && value.attestation === 'attested'
}

async function readFiles({ hops, company: { service, key }, connectionId }: Sharing): Promise<void> {
  const { values } = await service.connections.get(connectionId)
  const urlOf = (slug: string): string => values[slug]?.value_url ?? ''
  const face = await service.files.read(urlOf('face'))
  hops.check('her photo, not private, comes as its bytes', face.kind === 'raw' && isSame(face.files[0]?.bytes, PHOTO))
  const identity = await service.files.read(urlOf('identity'), key)
  const isPassport = identity.kind === 'sealed' && identity.entries['document_number'] === 'PA123456'
  hops.check('her passport, private, comes sealed and opens', isPassport && identity.name === 'Ana Gil')
  const slip = await service.files.read(urlOf('payslip'), key)
  hops.check('her payslip, shared once, comes sealed and opens', isSame(slip.files[0]?.bytes, PAYSLIP))
  hops.check('every file has the digest of its value', identity.sha256 === values['identity']?.content_sha256)
}

async function shareInTheClear(hops: Hops, { app, field }: Person, bank: Company): Promise<void> {
  await bank.account.requestFields.update(bank.serviceId, () => [
    { slug: 'pass', label: 'Identity card', type: 'proof_of_identity' },
  ])
  await app.connect(bank.code, { pass: { from: field('id_card') } })
  const [connection] = await all(bank.service.connections.list())
  const card = await bank.service.files.read(connection?.values['pass']?.value_url ?? '')
  const isCard = card.kind === 'clear' && card.entries['document_number'] === 'PA123456'
  hops.check('her identity card, not private, comes to a bank in us as a clear envelope', isCard)
}

async function edit({ hops, company: { service, key }, person, connectionId }: Sharing): Promise<void> {
  await person.app.contactData.put(person.field('first_name'), 'Anna')
  const seen: unknown[] = []
  await hops.await('she edits her name, and the feed brings it sealed to the clinic', async () => {
    for await (const change of service.changes.drain()) {
      if (change.event !== 'field_updated' || change.slug !== 'name') continue
      seen.push((await service.values.decryptValue(change, change.type ?? '', key)).value)
    }
    return seen.length > 0
  })
  hops.check('what the feed brought opens to the new name', seen.join() === 'Anna')
  const { values } = await service.connections.get(connectionId)
  const read = await service.values.decryptValue(values['name'] ?? {}, 'text', key)
  hops.check('so does what is read', read.value === 'Anna')
}

/** All processes end and come back with a clock that is 91 days ahead, over the same databases; then they part. */
export async function walkParting(
  { hops, company, person, connectionId }: Sharing,
  installation: Installation,
): Promise<void> {
  const { values } = await company.service.connections.get(connectionId)
  const { value_url: url = '', content_sha256: digest } = values['payslip'] ?? {}
  await restart(installation)
  const later = await openCompany(installation, northwind)
  const error = await later.service.files.open(url).catch((reason: unknown) => reason)
  const isExpired = isSealpostError(error, 'company_data.file_expired')
  hops.check(`${DAYS_LATER} days later the payslip is gone`, isExpired && error.status === 410)
  hops.check('its digest is still told', isExpired && error.details.content_sha256 === digest)
  const after = await later.service.connections.get(connectionId)
  const opened = await later.service.values.decrypt(after, later.key)
  const { payslip, name } = opened
  const isKept = name?.kind === 'text' && name.value === 'Anna'
  hops.check('what is live is still there', isKept && payslip?.kind === 'file' && payslip.valueUrl === null)
  const again = await openPerson(installation, person.user)
  await again.app.connections.disconnect(connectionId)
  hops.check('she disconnects', (await all(again.app.connections.list())).length === 1)
  const gone = await later.service.connections.get(connectionId).catch((reason: unknown) => reason)
  hops.check('the clinic has nothing of her any more', isSealpostError(gone, 'company_data.connection_not_found'))
  const told = await all(later.service.changes.drain())
  hops.check(
    'and its feed says so',
    told.some(({ event }) => event === 'connection_deleted'),
  )
}

async function restart({ frontDoor, eu, us }: Installation): Promise<void> {
  const clock = new URL('./days-later.ts', import.meta.url).href
  for (const app of [frontDoor, eu, us]) {
    await app.stop()
    await app.start({ NODE_OPTIONS: `--import=${clock}`, DAYS_LATER: String(DAYS_LATER) })
  }
}

function isSame(received: Uint8Array | undefined, sent: Uint8Array): boolean {
  return Buffer.from(received ?? []).equals(sent)
}
