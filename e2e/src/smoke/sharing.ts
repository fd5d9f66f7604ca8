import { isSealpostError } from '@sealpost/sdk'
import { type DemoVerifier, harborline, type Installation, northwind, signUp } from '@sealpost/testkit'
import { all, type Company, openCompany, openPerson, type Person } from '../sharing/parties.ts'
import { pdfWith, pngWith } from '../sharing/pictures.ts'
import { verifyField } from '../verify-field.ts'
import type { Checks } from './checks.ts'

const HOME = { street: 'Elm Street', building_number: '12', city: 'Portland', state: 'OR', country: 'US' }
const BORN = '1990-04-01'
const PHOTO = pngWith('a face')
const PAYSLIP = pdfWith('a payslip')
/** A day longer than one-time values are kept. */
const DAYS_LATER = 91

/** State from connect to disconnect. */
export interface Sharing {
  readonly checks: Checks
  readonly company: Company
  readonly person: Person
  readonly connectionId: string
}

/** A person in us, a clinic in eu, a bank in us: connect, share, read, verify, edit. */
export async function checkSharing(
  checks: Checks,
  installation: Installation,
  verifier: DemoVerifier,
): Promise<Sharing> {
  const user = await signUp(installation, { userType: 'person', region: 'us', displayName: 'Ana Gil' })
  const person = await openPerson(installation, user)
  const me = await person.app.me()
  checks.check(
    'a person registers, confirms her address and logs in, in us',
    me.region === 'us' && me.id === user.userId,
  )
  const company = await openCompany(installation, northwind)
  await publish(checks, company)
  await fillProfile(checks, person, verifier)
  const connectionId = await connect(checks, company, person)
  const sharing = { checks, company, person, connectionId }
  await readShared(sharing)
  await readFiles(sharing)
  await shareInTheClear(checks, person, await openCompany(installation, harborline))
  await edit(sharing)
  return sharing
}

async function publish(checks: Checks, { service }: Company): Promise<void> {
  const { request_fields: rows } = await service.requestFields.update(() => [
    { slug: 'name', label: 'First name', type: 'text', mandatory: true },
    { slug: 'home', label: 'Home', type: 'address' },
    { slug: 'born', label: 'Born on', type: 'date_of_birth', verified: true },
    { slug: 'face', label: 'Photo', type: 'photo' },
    { slug: 'identity', label: 'Identity document', type: 'legal_document' },
    { slug: 'payslip', label: 'Payslip', type: 'pdf_document', one_time: true },
  ])
  checks.check('the clinic in eu publishes its request fields', rows.length === 6)
}

async function fillProfile(checks: Checks, { app, field }: Person, verifier: DemoVerifier): Promise<void> {
  const { contactData } = app
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
  checks.check('her values are stored sealed to her own key', kept.value?.includes('_enc') === true)
  const birth = { id: field('date_of_birth'), type: 'date_of_birth', evidence: BORN }
  const verified = await verifyField(app, verifier, birth)
  checks.check('a provider verifies her date of birth', verified.verified_provider === 'demo_id')
}

async function connect(checks: Checks, { code, serviceId }: Company, { app, field }: Person): Promise<string> {
  const offer = await app.lookup(code)
  checks.check(`she finds the service in eu under ${code}`, offer.service.service_id === serviceId)
  const bare = await app.connect(code, {}).catch((reason: unknown) => reason)
  const isMissing = isSealpostError(bare, 'company_connections.mandatory_missing')
  checks.check('without the mandatory values she is not connected', isMissing && bare.details.slugs.join() === 'name')
  const made = await app.connect(code, {
    name: { from: field('first_name') },
    home: { from: field('address') },
    born: { from: field('date_of_birth') },
    face: { from: field('photo') },
    identity: { from: field('passport') },
    payslip: { value: { file: { bytes: PAYSLIP, mimeType: 'application/pdf', originalName: 'may.pdf' } } },
  })
  checks.check('she connects across regions and shares six answers', made.services[0]?.mappings.length === 6)
  return made.id
}

async function readShared({ checks, company, person, connectionId }: Sharing): Promise<void> {
  const { service, key } = company
  const listed = await all(service.connections.list())
  const connection = listed.find(({ id }) => id === connectionId)
  if (connection === undefined) return checks.check('the clinic lists the connection', false)
  checks.check('the clinic lists the connection', connection.share_code === person.user.shareCode)
  const opened = await service.values.decrypt(connection, key)
  const { name, home, born } = opened
  checks.check('it opens her name with its own key', name?.kind === 'text' && name.value === 'Ana')
  const isHome = home?.kind === 'parts' && JSON.stringify(home.value) === JSON.stringify(HOME)
  checks.check('it opens her address, part by part', isHome)
  checks.check('her date of birth is attested, her name is not', isAttested(born) && !isAttested(name))
  const other = await service.values.verify(connection.values['born'] ?? {}, '1990-04-02')
  checks.check('another date with the same attestation is not attested', other === 'not_attested')
  const created = await all(service.changes.drain())
  checks.check(
    'the feed has the connection event',
    created.some((change) => change.event === 'connection_created' && change.connection_id === connectionId),
  )
}

function isAttested(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'attestation' in value && value.attestation === 'attested'
}

async function readFiles({ checks, company: { service, key }, connectionId }: Sharing): Promise<void> {
  const { values } = await service.connections.get(connectionId)
  const urlOf = (slug: string): string => values[slug]?.value_url ?? ''
  const face = await service.files.read(urlOf('face'))
  checks.check('her photo, not private, is served as bytes', face.kind === 'raw' && isSame(face.files[0]?.bytes, PHOTO))
  const identity = await service.files.read(urlOf('identity'), key)
  const isPassport = identity.kind === 'sealed' && identity.entries['document_number'] === 'PA123456'
  checks.check('her passport, private, is served sealed and opens', isPassport && identity.name === 'Ana Gil')
  const slip = await service.files.read(urlOf('payslip'), key)
  checks.check('her payslip, shared once, is served sealed and opens', isSame(slip.files[0]?.bytes, PAYSLIP))
  checks.check('every file has the digest of its value', identity.sha256 === values['identity']?.content_sha256)
}

async function shareInTheClear(checks: Checks, { app, field }: Person, bank: Company): Promise<void> {
  await bank.account.requestFields.update(bank.serviceId, () => [
    { slug: 'pass', label: 'Identity card', type: 'proof_of_identity' },
  ])
  await app.connect(bank.code, { pass: { from: field('id_card') } })
  const [connection] = await all(bank.service.connections.list())
  const card = await bank.service.files.read(connection?.values['pass']?.value_url ?? '')
  const isCard = card.kind === 'clear' && card.entries['document_number'] === 'PA123456'
  checks.check('her identity card, not private, is served to a bank in us as a clear envelope', isCard)
}

async function edit({ checks, company: { service, key }, person, connectionId }: Sharing): Promise<void> {
  await person.app.contactData.put(person.field('first_name'), 'Anna')
  const seen: unknown[] = []
  await checks.await('she edits her name, and the feed has it sealed to the clinic', async () => {
    for await (const change of service.changes.drain()) {
      if (change.event !== 'field_updated' || change.slug !== 'name') continue
      seen.push((await service.values.decryptValue(change, change.type ?? '', key)).value)
    }
    return seen.length > 0
  })
  checks.check('the value in the feed opens to the new name', seen.join() === 'Anna')
  const { values } = await service.connections.get(connectionId)
  const read = await service.values.decryptValue(values['name'] ?? {}, 'text', key)
  checks.check('the value of the connection opens to the new name', read.value === 'Anna')
}

/** All processes restart on the same databases with a clock 91 days ahead; then the person disconnects. */
export async function checkParting(
  { checks, company, person, connectionId }: Sharing,
  installation: Installation,
): Promise<void> {
  const { values } = await company.service.connections.get(connectionId)
  const { value_url: url = '', content_sha256: digest } = values['payslip'] ?? {}
  await restart(installation)
  const later = await openCompany(installation, northwind)
  const error = await later.service.files.open(url).catch((reason: unknown) => reason)
  const isExpired = isSealpostError(error, 'company_data.file_expired')
  checks.check(`${DAYS_LATER} days later the payslip has expired`, isExpired && error.status === 410)
  checks.check('its digest is still in the answer', isExpired && error.details.content_sha256 === digest)
  const after = await later.service.connections.get(connectionId)
  const opened = await later.service.values.decrypt(after, later.key)
  const { payslip, name } = opened
  const isKept = name?.kind === 'text' && name.value === 'Anna'
  checks.check('live values are still there', isKept && payslip?.kind === 'file' && payslip.valueUrl === null)
  const again = await openPerson(installation, person.user)
  await again.app.connections.disconnect(connectionId)
  checks.check('she disconnects', (await all(again.app.connections.list())).length === 1)
  const gone = await later.service.connections.get(connectionId).catch((reason: unknown) => reason)
  checks.check('the clinic has no data of her', isSealpostError(gone, 'company_data.connection_not_found'))
  const events = await all(later.service.changes.drain())
  checks.check(
    'its feed has the end of the connection',
    events.some(({ event }) => event === 'connection_deleted'),
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
