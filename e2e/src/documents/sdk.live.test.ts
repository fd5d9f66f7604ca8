import { createHash } from 'node:crypto'
import { plainPdf } from '@sealpost/pdf-format/testing'
import {
  AccountKey,
  CustomerClient,
  type DocumentRecord,
  KeyChangedError,
  memoryPins,
  NotSignableError,
  type OpenedDocument,
  ServiceClient,
  UntrustedAnswerError,
  verifySealedPdf,
} from '@sealpost/sdk'
import { openWorld, scaled, testSeal } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { all, openCompany, openPerson } from '../sharing/parties.ts'
import { pdfWith, pngWith } from '../sharing/pictures.ts'
import { addPasskey } from './sign-with.ts'

const SOON = { timeout: scaled(20_000) }
const TERMS = { title: 'Terms', sections: [{ text: 'Delivery on Mondays' }] }
const PDF = plainPdf(2)

const world = await openWorld()
const { northwind } = await world.personas('northwind')
const { service, code } = await openCompany(world, northwind)
await service.requestFields.update(() => [])
const account = await world.person({ displayName: 'Ana de Vries' })
const passkey = await addPasskey(account)
const { app, session } = await openPerson(world, account)
const { id: connectionId } = await app.connect(code, {})
const target = { connection_id: connectionId }
const AGREEMENT = { target, name: 'Supply agreement', kind: 'agreement', requires_signature: true } as const
const contract = { bytes: PDF, originalName: 'supply.pdf' }

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** As soon as it has arrived. */
async function opened({ id }: DocumentRecord): Promise<OpenedDocument> {
  const read = (): Promise<unknown> => errorOf(app.documents.get(connectionId, id))
  await expect.poll(read, SOON).toBeNull()
  return app.documents.open(connectionId, id)
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (reason: unknown) => reason,
  )

describe('a JSON contract', () => {
  test('is sealed to the customer, read, signed with a passkey, and cancelled', async () => {
    const metadata = { can_be_cancelled_in_app: true, cancel_notice_days: 30, plan_name: 'Gold' }
    const sent = await service.documents.send({ ...AGREEMENT, value: TERMS, metadata })
    expect(sent).toMatchObject({ status: 'ready_to_sign', payload_kind: 'json', connection_id: connectionId })
    expect(JSON.stringify(sent.value)).not.toContain('Mondays')

    const shown = await opened(sent)
    expect(shown).toMatchObject({ kind: 'json', value: TERMS, document: { name: 'Supply agreement' } })
    const signed = await app.documents.sign(shown, passkey)
    expect(signed).toMatchObject({ status: 'active', signatures: [{ action: 'signed', method: 'biometric' }] })
    expect(await service.documents.get(sent.id)).toMatchObject({
      status: 'active',
      signatures: [{ content_sha256: sent.content_sha256, signer_first_name: 'Ana de', signer_last_name: 'Vries' }],
    })

    const cancelled = await app.documents.cancel(signed, 'We move')
    const due = new Date(world.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    expect(cancelled).toMatchObject({ status: 'active_but_ending', cancel_effective_date: due })
    await service.documents.end(sent.id)
    await service.documents.delete(sent.id)
    expect(await errorOf(service.documents.get(sent.id))).toMatchObject({ key: 'documents.not_found' })
    // What was signed stays with its signer.
    expect(await opened(sent)).toMatchObject({ value: TERMS })
  })

  test('is accepted, or declined with a reason', async () => {
    const offer = { target: { share_code: account.shareCode }, name: 'Offer', requires_acceptance: true } as const
    const [one, two] = [
      await service.documents.send({ ...offer, value: TERMS }),
      await service.documents.send({ ...offer, value: [1, 2] }),
    ]
    expect(await app.documents.accept(await opened(one))).toMatchObject({
      status: 'active',
      signatures: [{ action: 'accepted', method: null }],
    })
    const { document } = await opened(two)
    expect(await app.documents.decline(document, 'Too dear')).toMatchObject({ status: 'ended' })
    expect(await errorOf(app.documents.accept(await opened(two)))).toMatchObject({ key: 'documents.status_invalid' })
  })

  test('is signed with a mailed code', async () => {
    const person = { person_user_id: account.userId }
    const shown = await opened(await service.documents.send({ ...AGREEMENT, target: person, value: TERMS }))
    await app.documents.requestSignCode(shown.document)
    const mailed = await world.mail.waitForCode(account.email)
    expect(await app.documents.sign(shown, { method: 'email', code: mailed })).toMatchObject({ status: 'active' })
  })

  test('that the server exchanges is not shown, and nothing else is signed', async () => {
    const sent = await service.documents.send({ ...AGREEMENT, value: TERMS })
    const shown = await opened(sent)
    const other = await service.documents.send({ ...AGREEMENT, value: { title: 'Other terms' } })
    const { document: forged } = await opened(other)
    const key = await AccountKey.fromPkcs8(account.keys.privateKey.reveal())
    const lying = new CustomerClient({
      accessToken: () => Promise.resolve(session),
      key,
      pins: memoryPins(),
      fetch: async (...request) => {
        const answer = await fetch(...request)
        const body = Object(await answer.json())
        return Response.json({ ...body, value: forged.value }, answer)
      },
    })
    const error = await errorOf(lying.documents.open(connectionId, sent.id))
    expect(error).toBeInstanceOf(UntrustedAnswerError)
    expect(error).toMatchObject({ reason: 'document_changed' })
    const moved = { ...shown, document: { ...shown.document, id: other.id } }
    expect(await errorOf(app.documents.sign(moved, passkey))).toMatchObject({ key: 'documents.content_mismatch' })
  })
})

describe('a PDF contract', () => {
  test('is inspected, sealed, uploaded in two steps, and opened by the customer alone', async () => {
    const sent = await service.documents.send({ ...AGREEMENT, file: contract })
    expect(sent).toMatchObject({ status: 'ready_to_sign', payload_kind: 'file', plain_sha256: sha256(PDF) })
    const shown = await opened(sent)
    expect(shown).toMatchObject({ kind: 'file', file: { originalName: 'supply.pdf', mimeType: 'application/pdf' } })
    if (shown.kind !== 'file') throw new Error('no file')
    expect(Buffer.from(shown.file.bytes).equals(PDF)).toBe(true)
    expect(await errorOf(service.documents.readFile(sent.id))).toMatchObject({ key: 'documents.recipient_encrypted' })

    const better = { bytes: plainPdf(3), originalName: 'supply-2.pdf' }
    await service.documents.replaceFile(sent.id, better)
    await expect
      .poll(async () => (await app.documents.get(connectionId, sent.id)).plain_sha256, SOON)
      .toBe(sha256(better.bytes))
    expect(await errorOf(app.documents.sign(shown, passkey))).toMatchObject({ key: 'documents.content_mismatch' })
    expect(await opened(sent)).toMatchObject({ file: { originalName: 'supply-2.pdf' } })
    await service.documents.delete(sent.id)
  })

  test('comes back to its signer as a sealed PDF that contains what was signed', async () => {
    const sent = await service.documents.send({ ...AGREEMENT, file: contract })
    const signed = await app.documents.sign(await opened(sent), passkey)
    expect(signed).toMatchObject({ status: 'active', signatures: [{ plain_sha256: sha256(PDF) }] })
    expect(signed.sealed_at).not.toBeNull()
    const arrived = async () => (await app.documents.get(connectionId, sent.id)).plain_sha256
    await expect.poll(arrived, SOON).toBe(signed.plain_sha256)
    const sealed = await app.documents.open(connectionId, sent.id)
    if (sealed.kind !== 'file') throw new Error('no file')
    expect(await verifySealedPdf(sealed.file.bytes, { certificates: testSeal().root })).toMatchObject({
      isValid: true,
      seal: {
        signedSha256: sha256(PDF),
        document: { id: sent.id, name: 'Supply agreement' },
        acts: [{ signerFirstName: 'Ana de', signerLastName: 'Vries', action: 'signed', method: 'biometric' }],
      },
    })
    const late = errorOf(service.documents.replaceFile(sent.id, contract))
    expect(await late).toMatchObject({ key: 'documents.contract_immutable' })
  })

  test('that cannot be sealed is refused before anything is sent', async () => {
    const before = (await all(service.documents.list())).length
    for (const [bytes, refusal] of [
      [pngWith('no contract'), 'not_pdf'],
      [PDF.subarray(0, 300), 'damaged'],
      [Buffer.concat([PDF, Buffer.alloc(25 << 20)]), 'too_large'],
    ] as const) {
      const error = await errorOf(service.documents.send({ ...AGREEMENT, file: { ...contract, bytes } }))
      expect(error).toBeInstanceOf(NotSignableError)
      expect(error).toMatchObject({ refusal })
    }
    const wrongName = { bytes: PDF, originalName: 'contract.exe' }
    expect(await errorOf(service.documents.send({ ...AGREEMENT, file: wrongName }))).toBeInstanceOf(TypeError)
    expect((await all(service.documents.list())).length).toBe(before)
  })

  test('arrives once when its sender dies and starts again', async () => {
    const options = { idempotencyKey: `contract-${connectionId}` }
    const dying = new ServiceClient({
      frontDoorUrl: world.frontDoor.url,
      clientId: northwind.clientId,
      clientSecret: northwind.clientSecret,
      pins: memoryPins(),
      maxWaitSeconds: 0,
      fetch: (url, init) =>
        new Request(url).url.endsWith('/file') ? Promise.reject(new TypeError('killed')) : fetch(url, init),
    })
    const wanted = { ...AGREEMENT, name: 'Sent again', file: contract }
    expect(await errorOf(dying.documents.send(wanted, options))).toMatchObject({ name: 'NetworkError' })
    const first = await service.documents.send(wanted, options)
    const second = await service.documents.send(wanted, options)
    expect(second).toEqual(first)
    expect(first.content_sha256).not.toBeNull()
    const named = (await all(service.documents.list(target))).filter(({ name }) => name === 'Sent again')
    expect(named.map(({ id }) => id)).toEqual([first.id])
  })
})

test('a broadcast is read by a customer, file and JSON, and by the company', async () => {
  const file = { bytes: pdfWith('house rules'), originalName: 'rules.pdf' }
  const sent = await service.documents.broadcast({ name: 'House rules', file })
  expect(sent).toMatchObject({ connection_id: null, status: 'active' })
  const shown = await opened(sent)
  expect(shown).toMatchObject({ kind: 'file', file: { originalName: 'rules.pdf', mimeType: 'application/pdf' } })
  const { bytes, mimeType } = await service.documents.readFile(sent.id)
  expect([sha256(bytes), mimeType]).toEqual([sha256(file.bytes), 'application/pdf'])
  expect(await errorOf(app.documents.accept(shown))).toBeInstanceOf(TypeError)
  const hours = await service.documents.broadcast({
    name: 'Hours',
    value: { fields: [{ label: 'Open', value: '9–17' }] },
  })
  expect(await opened(hours)).toMatchObject({ kind: 'json', value: { fields: [{ value: '9–17' }] } })
  const ids = (await all(app.documents.list(connectionId))).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([sent.id, hours.id]))
  expect((await all(app.documents.list())).map(({ id }) => id)).not.toContain(sent.id)
  await service.documents.change(hours.id, { name: 'Opening hours' })
  await service.documents.delete(sent.id)
  await expect
    .poll(async () => (await all(app.documents.list(connectionId))).map(({ name }) => name), SOON)
    .toContain('Opening hours')
})

test('a list is filtered', async () => {
  const sent = await service.documents.send({ target, name: 'A letter', value: TERMS, kind: 'document' })
  const ofKind = async (kind: 'document' | 'agreement') =>
    (await all(service.documents.list({ ...target, kind }))).map(({ id }) => id)
  expect(await ofKind('document')).toContain(sent.id)
  expect(await ofKind('agreement')).not.toContain(sent.id)
})

test('a misspelled member is not sent, nor anything sealed to an exchanged key', async () => {
  const misspelled = { ...AGREEMENT, value: TERMS, require_signature: true }
  await expect(service.documents.send(misspelled)).rejects.toThrow('did you mean "requires_signature"')
  const pins = memoryPins()
  await pins.set(`account:${account.userId}`, 'ab'.repeat(32))
  const { clientId, clientSecret } = northwind
  const wary = new ServiceClient({ frontDoorUrl: world.frontDoor.url, clientId, clientSecret, pins })
  expect(await errorOf(wary.documents.send({ ...AGREEMENT, value: TERMS }))).toBeInstanceOf(KeyChangedError)
})
