import { webcrypto, X509Certificate } from 'node:crypto'
import { createUtf8Codec } from '@sealpost/crypto'
import { verifySeal } from '@sealpost/pdf-format'
import { bodyOf, openWorld, refused, testSeal } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import {
  copiesIn,
  copyOf,
  documentPath,
  openContracts,
  openStep,
  ownerPath,
  readPdf,
  sha256,
} from './testing/contracts.ts'
import { pathOf, RUNS } from './testing/runs.ts'
import { LINE, signersOf } from './testing/signers.ts'

const world = await openWorld()
const contracts = await openContracts(world)
const signers = await signersOf(contracts)
const { service, customer, partner } = contracts

type Event = Readonly<Record<string, unknown>>
const DOCUMENTS = '/api/company-data/documents'

const statuses = async (id: string) =>
  Object.fromEntries(
    copiesIn(await contracts.read(id)).map((one) => [`${one.party_key} ${one.output_key}`, one.document_status]),
  )

async function sealOf(pdf: Uint8Array) {
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const certificates = [Uint8Array.from(new X509Certificate(testSeal().root).raw)]
  const report = await verifySeal(host, Uint8Array.from(pdf), { certificates })
  if (!report.ok) throw new Error(report.refusal)
  return report.value
}

test('a contract is signed step by step, and each document is sealed by its own last signer [EVENT-11, EVENT-23, EVENT-24, EVENT-25, SIGN-07, SIGN-08, SIGN-09, SIGN-11, SEAL-07]', async () => {
  const id = await contracts.signing()
  const unsigned = await readPdf(customer, id, 'annex')
  await service.drain()
  const heard: unknown[] = []
  const listen = async () => {
    const { changes } = await bodyOf(partner.calls('GET', '/api/customer/changes'))
    heard.push(...(changes as readonly Event[]).filter((one) => one['flow_run_id'] === id).map(({ event }) => event))
    return heard
  }
  await listen()
  heard.length = 0
  for (const [place, [party, output, act]] of LINE.entries()) {
    expect(openStep(await contracts.read(id))).toEqual({ party, output })
    const acted = await signers.step(id, party, output, act)
    expect(acted).toMatchObject({ status: 'active' })
    const run = await contracts.read(id)
    const action = act === 'sign' ? 'signed' : 'accepted'
    expect(copyOf(run, party, output)).toMatchObject({ document_status: 'active', action, acted_at: world.time() })
    const signed = (acted['run_signatures'] as readonly Event[]).filter((one) => one['action'] !== null)
    expect(signed).toHaveLength(place + 1)
    expect(run['status']).toBe(place === 4 ? 'completed' : 'awaiting_signature')

    const opened = LINE[place + 1]
    const documentId = copyOf(run, party, output).document_id
    const events = (await service.drain()).filter(({ event }) => event !== 'document_updated')
    const openedId = opened === undefined ? null : copyOf(run, opened[0], opened[1]).document_id
    expect(events.map(({ event, document_id, action: done, status }) => [event, document_id, done, status])).toEqual([
      ['document_status_changed', documentId, action, 'active'],
      ...(opened === undefined
        ? [['flow_completed', undefined, undefined, undefined]]
        : [
            ['document_status_changed', openedId, null, opened[2] === 'sign' ? 'ready_to_sign' : 'offering'],
            ['flow_run_turn', undefined, undefined, undefined],
          ]),
    ])
    if (opened !== undefined) expect(events.at(-1)).toMatchObject({ awaiting_party: opened[0], flow_run_id: id })

    const sealed = new Set(
      (
        await world.rows<{ output: string }>(
          'select output_key as output from documents_service.document where run_id = $1 and sealed_at is not null',
          [id],
          'eu',
        )
      ).map((row) => row.output),
    )
    expect([...sealed].toSorted()).toEqual(place < 3 ? [] : place === 3 ? ['annex'] : ['annex', 'contract'])
  }
  await contracts.arrived(customer, id, 'completed')
  await contracts.arrived(partner, id, 'completed')
  expect(await contracts.answer(id, { amount: '1' }, { next_node: 'tell' })).toMatchObject(
    refused(409, 'flows.run_not_awaiting'),
  )
  const annex = await readPdf(customer, id, 'annex')
  expect(annex.subarray(0, unsigned.length).equals(unsigned)).toBe(true)
  expect((await readPdf(partner, id, 'annex')).equals(annex)).toBe(true)
  const own = await signers.readOwn(id, 'annex')
  expect(own.pdf.equals(annex)).toBe(true)
  expect(own.document).toMatchObject({ plain_sha256: sha256(annex), signatures: [{ plain_sha256: sha256(unsigned) }] })
  expect(await sealOf(annex)).toMatchObject({
    isIntact: true,
    isTrusted: true,
    coversWholeFile: true,
    signedSha256: sha256(unsigned),
    record: {
      document_id: id,
      document_name: 'Annex',
      acts: [
        { position: 2, action: 'signed', method: 'custodian' },
        { position: 4, action: 'accepted', method: null },
      ],
    },
  })
  expect(await sealOf(await readPdf(partner, id, 'contract'))).toMatchObject({
    record: { acts: [{ position: 1 }, { position: 3 }, { position: 5 }] },
  })
  const turns = ['flow_run_turn', 'flow_run_turn', 'flow_run_turn', 'flow_run_turn']
  await expect.poll(listen).toEqual([...turns, 'flow_completed'])
})

test('the devices of a person get a hint of the run for each opened step and the end', async () => {
  const id = await contracts.signing()
  const hints = async () => {
    const sql = 'select kind from devices.hint where account_id = $1 and object_id = $2 order by seq'
    return (await world.rows<{ kind: string }>(sql, [customer.userId, id], 'us')).map(({ kind }) => kind)
  }
  // One per party whose turn it was, then the first step of the line.
  const turns = Array.from({ length: 4 }, () => 'flow_run_turn')
  await expect.poll(hints).toEqual(turns)
  await signers.steps(id, 2)
  await expect.poll(hints).toEqual([...turns, 'flow_run_turn', 'flow_run_turn'])
  await bodyOf(service.data('POST', `${RUNS}/${id}/cancel`))
  await expect.poll(hints).toEqual([...turns, 'flow_run_turn', 'flow_run_turn', 'flow_cancelled'])
})

test('all readers see the same line, its participants in order [RUN-35, RUN-36, RUN-37, RUN-46, SIGN-06]', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 1)
  const run = await contracts.read(id)
  const participants = run['participants'] as readonly Event[]
  expect(participants.map((one) => one['party_key'])).toEqual(['customer', 'us', 'partner'])
  const facts = (document_status: string, position: number | null, action: string | null = null) => ({
    document_id: expect.any(String),
    document_status,
    position,
    action,
    acted_at: action === null ? null : world.time(),
  })
  const contract = { output_key: 'contract', name: 'Contract' }
  const annex = { output_key: 'annex', name: 'Annex' }
  const signs = { requires_signature: true, requires_acceptance: false }
  const accepts = { requires_signature: false, requires_acceptance: true }
  const receives = { requires_signature: false, requires_acceptance: false }
  expect(participants.map((one) => one['documents'])).toEqual([
    [
      { ...contract, ...facts('active', 1, 'signed'), ...signs },
      { ...annex, ...facts('waiting', 4), ...accepts },
    ],
    [
      { ...annex, ...facts('ready_to_sign', 2), ...signs },
      { ...contract, ...facts('waiting', 5), ...signs },
    ],
    [
      { ...contract, ...facts('waiting', 3), ...accepts },
      { ...annex, ...facts('active', null), ...receives },
    ],
  ])
  for (const who of [customer, partner]) {
    const theirs = async () => copiesIn((await contracts.readAs(who, id)).body)
    await expect.poll(theirs).toEqual(copiesIn(run))
  }
  const line = await bodyOf(service.data('GET', `${DOCUMENTS}/${copyOf(run, 'us', 'annex').document_id}`))
  const signatures = line['run_signatures'] as readonly Event[]
  expect(signatures.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, null])
  expect(signatures.map(({ party_key: party, output_key: output }) => [party, output])).toEqual([
    ...LINE.map(([party, output]) => [party, output]),
    ['partner', 'annex'],
  ])
  expect(signatures[0]).toEqual({
    ...contract,
    party_key: 'customer',
    document_id: copyOf(run, 'customer', 'contract').document_id,
    position: 1,
    status: 'active',
    action: 'signed',
    acted_at: world.time(),
  })
  for (const { document_id: of } of copiesIn(run)) {
    const document = await bodyOf(service.data('GET', `${DOCUMENTS}/${of}`))
    expect(document['run_signatures']).toEqual(signatures)
  }
  const theirs = await signers.readCopy('partner', id, 'contract')
  await expect.poll(async () => (await partner.calls('GET', theirs.path)).body['run_signatures']).toEqual(signatures)
})

describe('a step that is not open', () => {
  test('its copy can be read but not signed; the run alone changes open copies [DOC-21, SIGN-05, SIGN-12, TURN-11]', async () => {
    const id = await contracts.signing()
    const refusal = refused(409, 'documents.status_invalid')
    expect((await readPdf(partner, id, 'contract')).length).toBeGreaterThan(100)
    expect(await signers.actAs('partner', id, 'contract', 'accept')).toMatchObject(refusal)
    expect(await signers.actAsOwner(id, 'annex', 'sign')).toMatchObject(refusal)
    expect(await signers.actAsOwner(id, 'contract', 'sign')).toMatchObject(refusal)
    expect(await signers.actAs('customer', id, 'contract', 'accept')).toMatchObject(refusal)
    for (const answering of [
      contracts.answer(id, { amount: '1' }, { next_node: 'tell' }),
      contracts.answerAs(partner, id, { reference: 'R' }, { leaf: true }),
    ])
      expect(await answering).toMatchObject(refused(409, 'flows.run_not_awaiting'))
    const run = await contracts.read(id)
    for (const [party, output] of LINE) {
      const path = `${DOCUMENTS}/${copyOf(run, party, output).document_id}`
      for (const body of [{ status: 'ended' }, { name: 'Other' }])
        expect(await service.data('PUT', path, { body })).toMatchObject(refused(409, 'documents.run_managed'))
      expect(await service.data('DELETE', path)).toMatchObject(refused(409, 'documents.run_managed'))
    }
    expect(await statuses(id)).toMatchObject({ 'customer contract': 'ready_to_sign', 'us annex': 'waiting' })
    await signers.steps(id, 2)
    expect(await statuses(id)).toEqual({
      'customer contract': 'active',
      'us annex': 'active',
      'partner annex': 'active',
      'partner contract': 'offering',
      'customer annex': 'waiting',
      'us contract': 'waiting',
    })
    const offered = `${DOCUMENTS}/${copyOf(run, 'partner', 'contract').document_id}`
    expect(await service.data('PUT', offered, { body: { status: 'ended' } })).toMatchObject(
      refused(409, 'documents.run_managed'),
    )
    await bodyOf(service.data('POST', `${RUNS}/${id}/cancel`))
    expect(await statuses(id)).toMatchObject({ 'partner contract': 'ended', 'us contract': 'ended' })
  })

  test('no machine signs for a company, and no stranger', async () => {
    const id = await contracts.signing()
    await signers.steps(id, 1)
    const { calls } = await service.company.accountClient(['service_management'])
    const path = ownerPath(service.serviceId, id, 'annex')
    const { document, pdf } = await signers.readOwn(id, 'annex')
    const body = { method: 'custodian', content_sha256: document['content_sha256'], plain_sha256: sha256(pdf) }
    for (const call of [calls, service.data]) expect((await call('POST', `${path}/sign`, { body })).status).toBe(403)
    const stranger = await world.company()
    expect(await stranger.portal('POST', `${path}/sign`, { body })).toMatchObject(refused(404, 'services.not_found'))
    const other = ownerPath(service.serviceId, id, 'nothing')
    expect(await service.portal('POST', `${other}/sign`, { body })).toMatchObject(refused(404, 'flows.no_document'))
    const wrong = { ...body, content_sha256: 'ab'.repeat(32) }
    expect(await service.portal('POST', `${path}/sign`, { body: wrong })).toMatchObject(
      refused(409, 'documents.content_mismatch'),
    )
    expect(await statuses(id)).toMatchObject({ 'us annex': 'ready_to_sign' })
    // It is not the last act on this output, so no PDF is needed.
    expect((await service.portal('POST', `${path}/sign`, { body })).status).toBe(200)
  })

  test('the act that completes a document needs its PDF, and the right one', async () => {
    const id = await contracts.signing()
    await signers.steps(id, 4)
    const path = `${ownerPath(service.serviceId, id, 'contract')}/sign`
    const { document } = await signers.readOwn(id, 'contract')
    const body = { method: 'custodian', content_sha256: document['content_sha256'] }
    expect(await service.portal('POST', path, { body })).toMatchObject(refused(400, 'request.invalid'))
    const other = await signers.actAsOwner(id, 'contract', 'sign', { otk: Buffer.alloc(32, 7).toString('base64') })
    expect(other).toMatchObject(refused(409, 'documents.content_mismatch'))
    expect(await contracts.read(id)).toMatchObject({ status: 'awaiting_signature' })
    await signers.step(id, 'us', 'contract', 'sign')
    expect(await contracts.read(id)).toMatchObject({ status: 'completed' })
  })

  test('the company signs with a mailed code, too', async () => {
    const id = await contracts.signing()
    await signers.steps(id, 1)
    const path = ownerPath(service.serviceId, id, 'annex')
    expect((await service.portal('POST', `${path}/sign-code`)).status).toBe(204)
    const code = await world.mail.waitForCode(service.company.email)
    const wrong = { method: 'email', code: code === '000000' ? '000001' : '000000' }
    expect(await signers.actAsOwner(id, 'annex', 'sign', wrong)).toMatchObject(refused(400, 'request.invalid'))
    const signed = await bodyOf(signers.actAsOwner(id, 'annex', 'sign', { method: 'email', code }))
    expect(signed).toMatchObject({ status: 'active', signatures: [{ method: 'email' }] })
    expect(await service.portal('POST', `${path}/sign-code`)).toMatchObject(refused(409, 'documents.status_invalid'))
  })
})

test('a user of the portal reads the copy that the company signs, no other user does', async () => {
  const id = await contracts.signing()
  const path = `${ownerPath(service.serviceId, id, 'annex')}/file`
  const ours = await bodyOf(service.portal('GET', path))
  expect(ours).toEqual({ encrypted: true, value: expect.any(String) })
  expect(ours).toEqual(await bodyOf(service.data('GET', `${RUNS}/${id}/documents/annex/file`)))
  const { content_sha256: content } = (await signers.readOwn(id, 'annex')).document
  expect(sha256(String(ours['value']))).toBe(content)
  const { calls } = await service.company.accountClient(['service_management'])
  expect((await calls('GET', path)).status).toBe(403)
  const stranger = await world.company()
  expect(await stranger.portal('GET', path)).toMatchObject(refused(404, 'services.not_found'))
  const other = `${ownerPath(service.serviceId, id, 'nothing')}/file`
  expect(await service.portal('GET', other)).toMatchObject(refused(404, 'flows.no_document'))
})

test('of two acts on the same step at once one is recorded', async () => {
  const id = await contracts.signing()
  await signers.steps(id, 1)
  const acts = await Promise.all([1, 2, 3].map(() => signers.actAsOwner(id, 'annex', 'sign')))
  expect(acts.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(acts.filter(({ status }) => status === 409)).toHaveLength(2)
  expect(openStep(await contracts.read(id))).toEqual({ party: 'partner', output: 'contract' })
})

test('the step of a customer who generates and the paths of a run lead to the same copy', async () => {
  const id = await contracts.signing()
  const run = await contracts.read(id)
  const { document_id: document } = copyOf(run, 'customer', 'contract')
  const [byRun, byDocument] = await Promise.all([
    bodyOf(customer.calls('GET', `${pathOf(customer, id)}/documents/contract/file`)),
    bodyOf(customer.calls('GET', `${documentPath(customer, document)}/file`)),
  ])
  expect(byRun).toEqual(byDocument)
})
