import { webcrypto, X509Certificate } from 'node:crypto'
import { createUtf8Codec } from '@sealpost/crypto'
import { type SealReport, verifySeal } from '@sealpost/pdf-format'
import { buildPdf, plainPdf } from '@sealpost/pdf-format/testing'
import { askOthers, openFolder, runTool } from '@sealpost/pdf/testing'
import { addDevice, bodyOf, openWorld, refused, sealTo, testSeal } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { DOCUMENTS, sha256 } from '../testing/documents.ts'
import { handOver, offerPdf, type PdfOffer, readSealed } from '../testing/pdf-contracts.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const signer = await world.person({ region: 'us', displayName: 'Mara Müller' })
const connectionId = await signer.connected(service)
const phone = await addDevice(signer)
const PDF = plainPdf(2)

const offer = (plain: Uint8Array = PDF, members = {}) => offerPdf(service, signer, connectionId, { plain, members })
const bodyFor = async (offered: PdfOffer) => ({
  ...(await handOver(offered)),
  method: 'biometric',
  assertion: phone.sign(offered.contentSha256),
})
const sign = async (offered: PdfOffer, members: object = {}) =>
  signer.calls('POST', `${offered.path}/sign`, { body: { ...(await bodyFor(offered)), ...members } })
const read = ({ id }: PdfOffer) => bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))
const verdictOfOthers = { isClean: true, isSignatureValid: true, isAllSigned: true, isCades: true }

async function verified(file: Uint8Array): Promise<SealReport | string> {
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const certificates = [Uint8Array.from(new X509Certificate(testSeal().root).raw)]
  const outcome = await verifySeal(host, Uint8Array.from(file), { certificates })
  return outcome.ok ? outcome.value : outcome.refusal
}

test('a person of the other region signs: the copy is the sealed PDF, and other programs find it valid [SEAL-01] [SEAL-02] [SEAL-03] [SEAL-06] [DOC-15]', async () => {
  const offered = await offer()
  expect(await read(offered)).toMatchObject({ status: 'ready_to_sign', sealed_at: null, plain_sha256: sha256(PDF) })
  const answer = await bodyOf(sign(offered))
  const file = await readSealed(signer, offered)
  const facts = { status: 'active', sealed_at: world.time(), plain_sha256: sha256(file) }
  expect(answer).toMatchObject(facts)
  expect(await read(offered)).toMatchObject({
    ...facts,
    signatures: [{ action: 'signed', plain_sha256: sha256(PDF), content_sha256: offered.contentSha256 }],
  })
  expect(Buffer.from(file.subarray(0, PDF.length)).equals(PDF)).toBe(true)
  expect(await askOthers(file, testSeal().root)).toEqual(verdictOfOthers)
  expect(await verified(file)).toMatchObject({
    isIntact: true,
    isTrusted: true,
    isSignedContent: true,
    coversWholeFile: true,
    signedSha256: sha256(PDF),
    sealedBy: { name: 'Test seal' },
    record: { document_id: offered.id, acts: [{ signer_first_name: 'Mara', signer_last_name: 'Müller', position: 1 }] },
  })
  const path = openFolder().write('sealed.pdf', file)
  expect((await runTool('pdfinfo', path)).output).toMatch(/Pages: +3/)
  const { output } = await runTool('pdftotext', '-f', '3', path, '-')
  for (const text of ['Signatures', 'Mara Müller', sha256(PDF), offered.id]) expect(output).toContain(text)
})

test('the copy is encrypted to its reader, and its digest is the one that both sides name [SEAL-04]', async () => {
  const offered = await offer()
  await bodyOf(sign(offered))
  const file = await readSealed(signer, offered)
  const stored = String((await bodyOf(signer.calls('GET', `${offered.path}/file`)))['value'])
  expect(stored).not.toContain(file.subarray(0, 60).toString('base64'))
  const copy = await bodyOf(signer.calls('GET', offered.path))
  expect(copy).toMatchObject({ content_sha256: sha256(stored), plain_sha256: sha256(file) })
  expect(await service.data('GET', `${DOCUMENTS}/${offered.id}/file`)).toMatchObject(
    refused(403, 'documents.recipient_encrypted'),
  )
})

test('an acceptance seals too; its event has the seal and the signer, that of the cancellation has not [EVENT-15] [EVENT-16] [EVENT-17]', async () => {
  const offered = await offer(PDF, { kind: 'subscription', requires_signature: false, requires_acceptance: true })
  const lastEvent = async () => (await service.drain()).findLast((event) => event['document_id'] === offered.id)
  const answer = await bodyOf(signer.calls('POST', `${offered.path}/accept`, { body: await handOver(offered) }))
  const file = await readSealed(signer, offered)
  expect(await verified(file)).toMatchObject({
    isIntact: true,
    record: { acts: [{ action: 'accepted', method: null }] },
  })
  expect(await lastEvent()).toMatchObject({
    event: 'document_status_changed',
    action: 'accepted',
    method: null,
    status: 'active',
    sealed_at: answer['sealed_at'],
    plain_sha256: sha256(file),
    signer_first_name: 'Mara',
    signer_last_name: 'Müller',
    signer_name_verified: false,
  })
  await bodyOf(signer.calls('POST', `${offered.path}/cancel`))
  expect(await lastEvent()).toMatchObject({
    event: 'document_status_changed',
    status: 'ended',
    sealed_at: null,
    plain_sha256: null,
    signer_first_name: null,
    signer_last_name: null,
    signer_name_verified: null,
  })
})

test('a repeated call with its key answers the same, and seals once', async () => {
  const offered = await offer()
  const body = await bodyFor(offered)
  const send = () => signer.calls('POST', `${offered.path}/sign`, { body, key: `sign-${offered.id}` })
  const [first, second] = [await bodyOf(send()), await bodyOf(send())]
  expect(second).toEqual(first)
  expect(await read(offered)).toMatchObject({ signatures: [{ action: 'signed' }] })
})

test('a signed contract cannot be replaced [DOC-22]', async () => {
  const offered = await offer()
  await bodyOf(sign(offered))
  const value = await sealTo(signer.user.keys.publicKey, '{}')
  expect(await service.data('POST', `${DOCUMENTS}/${offered.id}/file`, { body: { value } })).toMatchObject(
    refused(409, 'documents.contract_immutable'),
  )
})

const scripted = buildPdf([
  '<</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (app.alert(1))>>>>',
  '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  '<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300]>>',
])

test.each([
  ['no PDF', Buffer.from('no PDF at all')],
  ['a PDF in name only', Buffer.from('%PDF-1.7\nnothing else')],
  ['a script', scripted],
])('bytes that cannot be sealed, %s, refuse the act, and nothing is stored [DOC-26]', async (_name, plain) => {
  const offered = await offer(plain)
  const before = await bodyOf(signer.calls('GET', offered.path))
  expect(await sign(offered)).toMatchObject(refused(409, 'documents.not_signable'))
  expect(await bodyOf(signer.calls('GET', offered.path))).toEqual(before)
  expect(await read(offered)).toMatchObject({ status: 'ready_to_sign', signatures: [], sealed_at: null })
})

test('a sealed PDF is not sealed again', async () => {
  const first = await offer()
  await bodyOf(sign(first))
  const again = await offer(await readSealed(signer, first))
  expect(await sign(again)).toMatchObject(refused(409, 'documents.not_signable'))
})

test('other bytes, another key, and no file at all are refused', async () => {
  const offered = await offer()
  const other = await handOver({ ...offered, plain: plainPdf(3) })
  expect(await sign(offered, { pdf: other.pdf, otk: other.otk })).toMatchObject(
    refused(409, 'documents.content_mismatch'),
  )
  expect(await sign(offered, { otk: other.otk })).toMatchObject(refused(409, 'documents.content_mismatch'))
  expect(await sign(offered, { plain_sha256: 'ab'.repeat(32) })).toMatchObject(
    refused(409, 'documents.content_mismatch'),
  )
  expect(await sign(offered, { pdf: undefined })).toMatchObject({ status: 400 })
  expect(await read(offered)).toMatchObject({ status: 'ready_to_sign', signatures: [] })
})
