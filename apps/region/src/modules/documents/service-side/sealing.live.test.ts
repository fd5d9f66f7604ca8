import { createCryptoPlatform, generateOneTimeKey, importOneTimeKey, sealOnce } from '@sealpost/crypto'
import type { DocumentAct } from '@sealpost/protocol'
import { bodyOf, dataUri, openWorld, refused, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { announceObject } from '../../vault/index.ts'
import { copyPath, DOCUMENTS, sendTo, sha256 } from '../testing/documents.ts'
import { NotSealableError, type Sealer } from './context.ts'
import type { ActRequest, DocumentId } from './model.ts'
import { actOnDocument } from './operations/act-on-document.ts'
import { prepareSeal } from './operations/prepare-seal.ts'

const world = await openWorld()
const company = await world.company()
const service = await world.service([], { company })
const customer = await world.company({ region: 'us' })
const connectionId = await customer.connected(service)
const crypto = createCryptoPlatform(globalThis)
const PDF = Buffer.from('%PDF-1.7 the terms')
const TRAILER = '\n% the acts of this document\n'

/** Shows the transaction around a seal; the seal itself is tested where it is made. */
const trailing: Sealer = {
  seal: async (pdf, { acts }) => Buffer.concat([pdf, Buffer.from(`${TRAILER}${acts.length}`)]),
}

async function offer(plain: Uint8Array = PDF, link = connectionId) {
  const { id } = await sendTo(service, customer, link, { payload_kind: 'file', plain_sha256: sha256(plain) })
  const value = await sealTo(
    customer.user.keys.publicKey,
    JSON.stringify({ file: dataUri('application/pdf', plain), original_name: 'terms.pdf' }),
  )
  await bodyOf(service.data('POST', `${DOCUMENTS}/${id}/file`, { body: { value } }))
  const path = copyPath(link, id)
  await expect.poll(async () => (await customer.calls('GET', path)).status).toBe(200)
  return { id, path, contentSha256: sha256(value), plain }
}

type Offer = Awaited<ReturnType<typeof offer>>

function requestOf({ id, contentSha256, plain }: Offer): ActRequest {
  const signer = { first_name: null, last_name: 'A company', name_verified: false, ip: null, user_agent: null }
  const act: DocumentAct = {
    act: 'sign',
    method: 'custodian',
    content_sha256: contentSha256,
    plain_sha256: sha256(plain),
    signer: { ...signer, user_id: customer.userId },
  }
  return {
    companyId: company.companyId,
    serviceId: service.serviceId,
    connectionId: connectionId as ActRequest['connectionId'],
    customerId: customer.userId,
    region: 'us',
    documentId: id as DocumentId,
    act,
  }
}

/** The PDF under a one-time key, as the customer's region hands it over. */
async function handOver(pdf: Uint8Array, otk = generateOneTimeKey(crypto)) {
  const key = await importOneTimeKey(crypto, otk)
  if (!key.ok) throw new Error('no one-time key')
  const text = await sealOnce(crypto, key.value, new Uint8Array(pdf))
  const { platform } = world.us
  const objectKey = await announceObject(platform)
  const stored = await platform.objects.put(objectKey, Buffer.from(text), { contentType: 'text/plain' })
  if (!stored.ok) throw new Error('not stored')
  const url = await platform.objects.presignGet(objectKey, 300)
  return { otk, url, sha256: stored.value.sha256, bytes: stored.value.sizeBytes, text }
}

const contextWith = (sealer: Sealer | null) => ({ ...world.eu.modules.documents.service, sealer })
const act = (request: ActRequest, sealId: Parameters<typeof actOnDocument>[3]) =>
  world.eu.platform.database.transaction((tx) => actOnDocument(contextWith(trailing), tx, request, sealId))

test('the completing act replaces the copy by the sealed file, encrypted to its reader', async () => {
  const offered = await offer()
  const request = requestOf(offered)
  const prepared = await prepareSeal(contextWith(trailing), request, await handOver(PDF))
  expect(prepared).toMatchObject({ ok: true })
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${offered.id}`))).toMatchObject({
    status: 'ready_to_sign',
    sealed_at: null,
  })
  const acted = await act(request, prepared.ok ? prepared.value : null)
  expect(acted).toMatchObject({ ok: true })
  const sealed = Buffer.concat([PDF, Buffer.from(`${TRAILER}1`)])
  const facts = { status: 'active', sealed_at: world.time(), plain_sha256: sha256(sealed) }
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${offered.id}`))).toMatchObject({
    ...facts,
    signatures: [{ plain_sha256: sha256(PDF), content_sha256: offered.contentSha256 }],
  })
  await expect.poll(async () => (await customer.calls('GET', offered.path)).body).toMatchObject(facts)
  const file = await bodyOf(customer.calls('GET', `${offered.path}/file`))
  const copy = await bodyOf(customer.calls('GET', offered.path))
  expect(copy['content_sha256']).toBe(sha256(String(file['value'])))
  expect(copy['content_sha256']).not.toBe(offered.contentSha256)
  const { events } = { events: await service.drain() }
  expect(events.findLast((event) => event['document_id'] === offered.id)).toMatchObject({ action: 'signed', ...facts })
})

test('a signed contract cannot be replaced [DOC-22]', async () => {
  const offered = await offer()
  const request = requestOf(offered)
  const prepared = await prepareSeal(contextWith(trailing), request, await handOver(PDF))
  await act(request, prepared.ok ? prepared.value : null)
  const value = await sealTo(customer.user.keys.publicKey, '{}')
  expect(await service.data('POST', `${DOCUMENTS}/${offered.id}/file`, { body: { value } })).toMatchObject(
    refused(409, 'documents.contract_immutable'),
  )
})

test('other bytes, a wrong key and bytes that are no PDF are refused', async () => {
  const offered = await offer()
  const context = contextWith(trailing)
  const other = await prepareSeal(context, requestOf(offered), await handOver(Buffer.from('%PDF-1.7 other')))
  expect(other).toEqual({ ok: false, refusal: 'content_mismatch' })
  const { url, ...handed } = await handOver(PDF)
  const wrongKey = { ...handed, url, otk: generateOneTimeKey(crypto) }
  expect(await prepareSeal(context, requestOf(offered), wrongKey)).toEqual({ ok: false, refusal: 'content_mismatch' })
  const text = await offer(Buffer.from('no PDF at all'))
  const refusal = await prepareSeal(context, requestOf(text), await handOver(text.plain))
  expect(refusal).toEqual({ ok: false, refusal: 'not_signable' })
  const damaged: Sealer = { seal: () => Promise.reject(new NotSealableError('encrypted')) }
  expect(await prepareSeal(contextWith(damaged), requestOf(offered), await handOver(PDF))).toEqual({
    ok: false,
    refusal: 'not_signable',
  })
})

test('a seal counts once, for its act and its content alone', async () => {
  const offered = await offer()
  const request = requestOf(offered)
  const prepare = async () => {
    const prepared = await prepareSeal(contextWith(trailing), request, await handOver(PDF))
    if (!prepared.ok) throw new Error(prepared.refusal)
    return prepared.value
  }
  expect(await act(request, null)).toEqual({ ok: false, refusal: 'seal_failed' })
  const other: ActRequest = { ...request, act: { ...request.act, method: 'email' } as DocumentAct }
  expect(await act(other, await prepare())).toEqual({ ok: false, refusal: 'seal_failed' })
  const [one, two] = [await prepare(), await prepare()]
  expect(await act(request, one)).toMatchObject({ ok: true })
  expect(await act(request, two)).toEqual({ ok: false, refusal: 'status_invalid' })
})

test('a seal that cannot be made refuses the act, and nothing is stored', async () => {
  const offered = await offer()
  const failing: Sealer = { seal: () => Promise.reject(new Error('no certificate')) }
  for (const sealer of [failing, null]) {
    const prepared = await prepareSeal(contextWith(sealer), requestOf(offered), await handOver(PDF))
    expect(prepared).toEqual({ ok: false, refusal: 'seal_failed' })
  }
  const before = await bodyOf(customer.calls('GET', offered.path))
  const { otk, text } = await handOver(PDF)
  const body = {
    method: 'custodian',
    content_sha256: offered.contentSha256,
    plain_sha256: sha256(PDF),
    otk: otk.reveal(),
    pdf: text,
  }
  // The wiring has no sealer yet: the call meets the same refusal.
  expect(await customer.calls('POST', `${offered.path}/sign`, { body })).toMatchObject(
    refused(503, 'documents.seal_failed'),
  )
  expect(await bodyOf(customer.calls('GET', offered.path))).toEqual(before)
  expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${offered.id}`))).toMatchObject({
    status: 'ready_to_sign',
    signatures: [],
    sealed_at: null,
  })
  const wrong = { ...body, plain_sha256: 'ab'.repeat(32) }
  expect(await customer.calls('POST', `${offered.path}/sign`, { body: wrong })).toMatchObject(
    refused(409, 'documents.content_mismatch'),
  )
  const { pdf: _pdf, ...without } = body
  expect(await customer.calls('POST', `${offered.path}/sign`, { body: without })).toMatchObject({ status: 400 })
})

test('the region of another customer cannot act', async () => {
  const offered = await offer()
  const foreign = { ...requestOf(offered), region: 'eu' }
  expect(await act(foreign, null)).toEqual({ ok: false, refusal: 'not_found' })
  expect(await prepareSeal(contextWith(trailing), foreign, await handOver(PDF))).toEqual({
    ok: false,
    refusal: 'not_found',
  })
})
