import { accept, Secret } from '@sealpost/kernel'
import { plainPdf } from '@sealpost/pdf-format/testing'
import type { DocumentAct } from '@sealpost/protocol'
import { bodyOf, dataUri, openWorld, sealTo, underOneTimeKey } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { announceObject } from '../../vault/index.ts'
import { customerMessages } from '../bus/customer.ts'
import { findCopy } from '../customer-side/store/copies.ts'
import { DOCUMENTS, sha256 } from '../testing/documents.ts'
import { offerPdf, type PdfOffer } from '../testing/pdf-contracts.ts'
import type { Sealer } from './context.ts'
import type { ActRequest, DocumentId, SealId } from './model.ts'
import { actOnDocument } from './operations/act-on-document.ts'
import { prepareSeal } from './operations/prepare-seal.ts'

const world = await openWorld()
const company = await world.company()
const customer = await world.company({ region: 'us' })
const PDF = plainPdf()

/** Shows what happens around a seal; the seal itself is tested where it is made. */
const quick: Sealer = {
  async seal(pdf, { acts }) {
    const bytes = Uint8Array.from(Buffer.concat([pdf, Buffer.from(`% ${acts.length} acts`)]))
    return accept({ bytes, sha256: sha256(bytes), signedSha256: sha256(pdf) })
  },
}
const context = { ...world.eu.modules.documents.service, sealer: quick }

/** A contract at a connection of its own. */
async function offer() {
  const service = await world.service([], { company })
  const link = await customer.connected(service)
  const offered = await offerPdf(service, customer, link, { plain: PDF, members: { kind: 'subscription' } })
  const documentPath = `${DOCUMENTS}/${offered.id}`
  return {
    ...offered,
    service,
    link,
    request: requestOf(service.serviceId, link, offered),
    statuses: async () => {
      const [theirs, ours] = await Promise.all([customer.calls('GET', offered.path), service.data('GET', documentPath)])
      return [theirs.body['status'] ?? theirs.status, ours.body['status'] ?? ours.status]
    },
    decline: () => customer.calls('POST', `${offered.path}/decline`, { body: {} }),
    cancel: () => customer.calls('POST', `${offered.path}/cancel`, { body: {} }),
    end: () => service.data('PUT', documentPath, { body: { status: 'ended' } }),
    erase: () => service.data('DELETE', documentPath),
    disconnect: () => customer.calls('DELETE', `/api/company-connections/${link}`),
    endConnection: () => service.data('DELETE', `/api/company-data/connections/${link}`),
    replace: async () => {
      const text = JSON.stringify({ file: dataUri('application/pdf', PDF), original_name: 'terms.pdf' })
      const value = await sealTo(customer.user.keys.publicKey, text)
      return service.data('POST', `${documentPath}/file`, { body: { value } })
    },
  }
}

type Offer = Awaited<ReturnType<typeof offer>>

function requestOf(serviceId: string, link: string, { id, contentSha256 }: PdfOffer): ActRequest {
  const name = { first_name: null, last_name: 'A company', name_verified: false, ip: null, user_agent: null }
  return {
    companyId: company.companyId,
    serviceId: serviceId as ActRequest['serviceId'],
    connectionId: link as ActRequest['connectionId'],
    customerId: customer.userId,
    region: 'us',
    documentId: id as DocumentId,
    act: {
      act: 'sign',
      method: 'custodian',
      content_sha256: contentSha256,
      plain_sha256: sha256(PDF),
      signer: { ...name, user_id: customer.userId },
    },
  }
}

/** As the customer's region hands the PDF over. */
async function handedOver(pdf: Uint8Array = PDF) {
  const { otk, pdf: text } = await underOneTimeKey(pdf)
  const { platform } = world.us
  const objectKey = await announceObject(platform)
  const stored = await platform.objects.put(objectKey, Buffer.from(text), { contentType: 'text/plain' })
  if (!stored.ok) throw new Error('not stored')
  const url = await platform.objects.presignGet(objectKey, 300)
  return { otk: new Secret(otk), url, sha256: stored.value.sha256, bytes: stored.value.sizeBytes, objectKey }
}

async function prepare({ request }: Offer): Promise<SealId> {
  const prepared = await prepareSeal(context, request, await handedOver())
  if (!prepared.ok) throw new Error(prepared.refusal)
  if (prepared.value === null) throw new Error('no seal was needed')
  return prepared.value
}

const act = (request: ActRequest, sealId: SealId | null) =>
  world.eu.platform.database.transaction((tx) => actOnDocument(context, tx, request, sealId))
const sealObject = async (id: SealId) => {
  const [row] = await world.rows<{ object_key: string }>(
    'select object_key from documents_service.prepared_seal where id = $1',
    [id],
  )
  return row?.object_key ?? ''
}
const garbage = async (objectKey: string) =>
  (await world.rows('select 1 from vault.garbage where object_key = $1', [objectKey])).length

describe('between the seal and its act', () => {
  const first: readonly (readonly [
    string,
    (offered: Offer) => Promise<{ readonly status: number }>,
    string,
    unknown[],
  ])[] = [
    ['a decline', ({ decline }) => decline(), 'status_invalid', ['ended', 'ended']],
    ["the company's status change", ({ end }) => end(), 'status_invalid', ['ended', 'ended']],
    ['a deletion', ({ erase }) => erase(), 'not_found', [404, 404]],
    ['a disconnection', ({ disconnect }) => disconnect(), 'not_found', [404, 'ended']],
    ['the end of the connection', ({ endConnection }) => endConnection(), 'not_found', [404, 'ended']],
    ['another file', ({ replace }) => replace(), 'content_mismatch', ['ready_to_sign', 'ready_to_sign']],
  ]

  test.each(first)(
    '%s comes first: the act is refused, and the sealed file stays garbage',
    async (_name, meet, ...expected) => {
      const [refusal, statuses] = expected
      const offered = await offer()
      const sealId = await prepare(offered)
      const objectKey = await sealObject(sealId)
      expect((await meet(offered)).status).toBeLessThan(300)
      expect(await act(offered.request, sealId)).toEqual({ ok: false, refusal })
      await expect.poll(offered.statuses).toEqual(statuses)
      expect(await garbage(objectKey)).toBe(1)
    },
  )

  test('a cancellation comes first: it is refused, and the signature holds', async () => {
    const offered = await offer()
    const sealId = await prepare(offered)
    expect(await offered.cancel()).toMatchObject({ status: 409 })
    expect(await act(offered.request, sealId)).toMatchObject({ ok: true })
    await expect.poll(offered.statuses).toEqual(['active', 'active'])
  })

  const last: readonly (readonly [string, (offered: Offer) => Promise<{ readonly status: number }>, number, string])[] =
    [
      ['a decline', ({ decline }) => decline(), 409, 'active'],
      ['a cancellation', ({ cancel }) => cancel(), 200, 'ended'],
      ["the company's status change", ({ end }) => end(), 200, 'ended'],
      ['a deletion', ({ erase }) => erase(), 409, 'active'],
      ['a disconnection', ({ disconnect }) => disconnect(), 409, 'active'],
      ['the end of the connection', ({ endConnection }) => endConnection(), 409, 'active'],
      ['another file', ({ replace }) => replace(), 409, 'active'],
    ]

  test.each(last)('%s comes after the signature: one outcome, on both sides', async (_name, meet, status, outcome) => {
    const offered = await offer()
    const sealId = await prepare(offered)
    expect(await act(offered.request, sealId)).toMatchObject({ ok: true })
    const signed = async () => (await customer.calls('GET', offered.path)).body['status']
    await expect.poll(signed).toBe('active')
    expect(await meet(offered)).toMatchObject({ status })
    await expect.poll(offered.statuses).toEqual([outcome, outcome])
    expect(await bodyOf(offered.service.data('GET', `${DOCUMENTS}/${offered.id}`))).toMatchObject({
      signatures: [{ action: 'signed' }],
    })
  })
})

test('a seal counts once, for its act and its content alone', async () => {
  const offered = await offer()
  const { request } = offered
  expect(await act(request, null)).toEqual({ ok: false, refusal: 'seal_failed' })
  const other: ActRequest = { ...request, act: { ...request.act, method: 'email' } as DocumentAct }
  expect(await act(other, await prepare(offered))).toEqual({ ok: false, refusal: 'seal_failed' })
  const [one, two] = [await prepare(offered), await prepare(offered)]
  expect(await act(request, one)).toMatchObject({ ok: true })
  expect(await act(request, two)).toEqual({ ok: false, refusal: 'status_invalid' })
})

test('a seal that is missing is no outcome: the repeated call, with a seal of its own, is recorded', async () => {
  const offered = await offer()
  const { database, bus, ids } = world.us.platform
  const name = { accountId: customer.userId, id: offered.request.documentId }
  const copy = await database.read((read) => findCopy(read, name))
  if (copy === null) throw new Error('no copy')
  const messages = customerMessages(bus, ids)
  const ask = (sealId: string | null) => messages.askToAct(copy, offered.request.act, sealId, 'the same call')
  await expect(ask(null)).rejects.toMatchObject({ key: 'documents.seal_failed' })
  expect(await ask(await prepare(offered))).toMatchObject({ outcome: 'done' })
  expect(await ask(null)).toMatchObject({ outcome: 'done' })
})

test('a PDF that the store of the other region no longer has, or has changed, fails the seal', async () => {
  const { request } = await offer()
  const gone = await handedOver()
  await world.us.platform.objects.remove(gone.objectKey)
  const changed = { ...(await handedOver()), sha256: sha256('other') }
  for (const handed of [gone, changed])
    expect(await prepareSeal(context, request, handed)).toEqual({ ok: false, refusal: 'seal_failed' })
})

test('the region of another customer cannot act, and without a certificate no act is completed', async () => {
  const { request } = await offer()
  const foreign = { ...request, region: 'eu' }
  expect(await act(foreign, null)).toEqual({ ok: false, refusal: 'not_found' })
  expect(await prepareSeal(context, foreign, await handedOver())).toEqual({ ok: false, refusal: 'not_found' })
  const without = { ...context, sealer: null }
  expect(await prepareSeal(without, request, await handedOver())).toEqual({ ok: false, refusal: 'seal_failed' })
})
