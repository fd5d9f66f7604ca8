import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { plainPdf } from '@sealpost/pdf-format/testing'
import { askOthers, openFolder, runTool, type TestPki } from '@sealpost/pdf/testing'
import { type DocumentRecord, verifySealedPdf } from '@sealpost/sdk'
import { bundledPrograms, call, harborline, type Installation, signUp } from '@sealpost/testkit'
import { addPasskey } from '../documents/sign-with.ts'
import { type Company, openCompany, openPerson, type Person } from '../sharing/parties.ts'
import type { Checks } from './checks.ts'
import type { Sharing } from './sharing.ts'

const LEASE = plainPdf(3)
const SEALPOST = join(await bundledPrograms(), 'command/sealpost.js')

/** Contracts across regions: of the clinic in eu for Ana in us (B-B), of the bank in us for Ben in eu (B-T). */
export async function checkContracts(sharing: Sharing, installation: Installation, pki: TestPki): Promise<void> {
  const { checks, company, person, connectionId } = sharing
  const clinic = { checks, company, person, connectionId, pki }
  await checkJson(clinic)
  const lease = await signLease('eu', clinic)
  await checkSealed('B-B', clinic, lease)
  await company.service.documents.end(lease.id)
  const { status } = await company.service.documents.get(lease.id)
  checks.check('the clinic ends the contract, so that she may leave', status === 'ended')

  const bank = await openCompany(installation, harborline)
  const user = await signUp(installation, { userType: 'person', region: 'eu', displayName: 'Ben Ode' })
  const ben = await openPerson(installation, user)
  const { id } = await ben.app.connect(bank.code, {})
  const stamped = { checks, company: bank, person: ben, connectionId: id, pki }
  await checkSealed('B-T', stamped, await signLease('us', stamped))
}

interface Contracting {
  readonly checks: Checks
  readonly company: Company
  readonly person: Person
  readonly connectionId: string
  readonly pki: TestPki
}

interface Lease {
  readonly id: string
  readonly sealed: Uint8Array
}

async function checkJson({ checks, company: { service }, person: { app }, connectionId }: Contracting): Promise<void> {
  const target = { connection_id: connectionId }
  const value = { title: 'Consent', sections: [{ text: 'The clinic may call me' }] }
  const sent = await service.documents.send({ target, name: 'Consent', requires_acceptance: true, value })
  checks.check('the clinic sends her JSON that it cannot read back', !JSON.stringify(sent.value).includes('call me'))
  await arrival(checks, 'it arrives in us', app, connectionId, sent)
  const opened = await app.documents.open(connectionId, sent.id)
  const accepted = await app.documents.accept(opened)
  const isRead = opened.kind === 'json' && JSON.stringify(opened.value) === JSON.stringify(value)
  checks.check('she reads it and accepts', isRead && accepted.status === 'active')
}

function arrival(
  checks: Checks,
  name: string,
  app: Person['app'],
  connectionId: string,
  { id }: Pick<DocumentRecord, 'id'>,
): Promise<void> {
  const read = async (): Promise<boolean> =>
    app.documents.get(connectionId, id).then(
      () => true,
      () => false,
    )
  return checks.await(name, read)
}

/** Sends a PDF to a person of the other region, who signs it with a passkey. */
async function signLease(home: 'eu' | 'us', contracting: Contracting): Promise<Lease> {
  const { checks, company, person, connectionId } = contracting
  const { service } = company
  const { app, session, user } = person
  const proof = await addPasskey({
    authVerifier: user.authVerifier,
    calls: (method, path, sent) => call(session, method, path, sent),
  })
  const sent = await service.documents.send({
    target: { connection_id: connectionId },
    name: 'Lease',
    kind: 'agreement',
    requires_signature: true,
    file: { bytes: LEASE, originalName: 'lease.pdf' },
  })
  await arrival(checks, `a contract PDF of a company in ${home} arrives in the other region`, app, connectionId, sent)
  const opened = await app.documents.open(connectionId, sent.id)
  const isShown = opened.kind === 'file' && Buffer.from(opened.file.bytes).equals(LEASE)
  checks.check('the person opens the PDF, byte for byte', isShown)
  const signed = await app.documents.sign(opened, proof)
  checks.check('the person signs it with a passkey', signed.status === 'active' && signed.sealed_at !== null)
  await checks.await('the sealed PDF comes back', async () => {
    return (await app.documents.get(connectionId, sent.id)).plain_sha256 === signed.plain_sha256
  })
  const { signatures, plain_sha256: digest } = await service.documents.get(sent.id)
  const copy = await app.documents.open(connectionId, sent.id)
  const sealed = copy.kind === 'file' ? copy.file.bytes : new Uint8Array()
  const isNamed = digest === sha256(sealed) && signatures[0]?.plain_sha256 === sha256(LEASE)
  checks.check('the company knows both digests, of the signed and of the sealed PDF', isNamed)
  return { id: sent.id, sealed }
}

async function checkSealed(form: 'B-B' | 'B-T', { checks, person, pki }: Contracting, lease: Lease): Promise<void> {
  const { id, sealed } = lease
  const root = pki.read('root.pem')
  const others = await askOthers(sealed, root)
  checks.check(`${form}: pdfsig says valid, and total document signed`, others.isSignatureValid && others.isAllSigned)
  checks.check(`${form}: qpdf --check is clean`, others.isClean)
  checks.check(`${form}: openssl cms -verify -cades agrees, with the test CA`, others.isCades)
  const { isValid, seal } = await verifySealedPdf(sealed, { certificates: root })
  const isWhole = isValid && seal?.signedSha256 === sha256(LEASE) && seal.document?.id === id
  checks.check(`${form}: the SDK finds the signed bytes inside`, isWhole)
  checks.check(
    `${form}: a time-stamp is there as configured`,
    (seal?.timestamp?.isTrusted === true) === (form === 'B-T'),
  )
  await checkCommand(form, { checks, person, pki, sealed })
}

async function checkCommand(
  form: string,
  { checks, person, pki, sealed }: Pick<Contracting, 'checks' | 'person' | 'pki'> & Pick<Lease, 'sealed'>,
): Promise<void> {
  const folder = openFolder()
  const verify = (name: string, bytes: Uint8Array) =>
    runTool(process.execPath, SEALPOST, 'verify', folder.write(name, bytes), '--trust', pki.path('root.pem'))
  const good = await verify('sealed.pdf', sealed)
  const says = [person.user.displayName, sha256(LEASE), 'Test seal'].every((text) => good.output.includes(text))
  checks.check(`${form}: sealpost verify says valid, who signed and which bytes`, good.code === 0 && says)
  const flipped = Uint8Array.from(sealed)
  const at = Math.floor(LEASE.length / 2)
  flipped[at] = (flipped[at] ?? 0) ^ 1
  const one = await verify('flipped.pdf', flipped)
  const isFound = one.code === 1 && one.output.includes('changed after it was sealed')
  checks.check(`${form}: it detects one flipped bit`, isFound)
  const edit = Buffer.from('3 0 obj\n<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>\nendobj\n')
  const two = await verify('edited.pdf', Buffer.concat([sealed, edit]))
  checks.check(`${form}: it detects an appended edit`, two.code === 1 && two.output.includes('Bytes were added'))
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
