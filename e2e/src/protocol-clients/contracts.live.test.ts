import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { open, privateKeyOf, sha256, underOneTimeKey } from './crypto.ts'
import { openFlows, publishContract, RUNS } from './flows.ts'
import { listOf, must, refusalOf } from './http.ts'
import { send } from './raw-request.ts'

const world = await openWorld()
const flows = await openFlows(world)
const { data, key, phone, person, post, ownPath, read, untilTheirs, toTheEnd, drained } = flows
const contract = await publishContract(flows)

/** The values of the answers under a one-time key, as a client seals them that sends no `inputs`. */
const handOver = () => {
  const { otk, sealed } = underOneTimeKey(JSON.stringify({ amount: '7', nick: 'Mara' }))
  return { otk, values: sealed[0] }
}

test('a contract is generated once, read by each party, signed by the person, and completes the run', async () => {
  const id = await toTheEnd(contract)
  const path = `${RUNS}/${id}`
  expect(refusalOf(await post(`${path}/generate`, handOver()))).toEqual([409, 'flows.not_generatable'])
  await must(200, post(`${path}/answers`, { answers: [], leaf: true }))
  const broken = { ...handOver(), otk: 'AAAA' }
  expect(refusalOf(await post(`${path}/generate`, broken))).toEqual([400, 'flows.generation_failed'])
  expect(await read(id)).toMatchObject({ status: 'generating' })
  await drained(id)
  const made = await must(200, post(`${path}/generate`, handOver()))
  const documents = listOf(made['documents'])
  expect(made).toMatchObject({ status: 'awaiting_signature', document_id: expect.any(String) })
  expect(documents.map(({ output_key, party_key, position }) => [output_key, party_key, position])).toEqual([
    ['contract', 'customer', 1],
    ['contract', 'company', null],
  ])
  expect(await must(200, post(`${path}/generate`, { ...handOver(), inputs: [] }))).toEqual(made)
  expect((await drained(id)).map(({ event }) => event)).toEqual([
    'document_created',
    'document_created',
    'flow_run_turn',
  ])

  const file = await send(data, `GET ${path}/documents/contract/file`)
  expect(file).toMatchObject({ status: 200, body: { encrypted: true, value: expect.any(String) } })
  expect((await send(data, `GET ${path}/document/file`)).body).toEqual(file.body)
  const bytes = (envelope: string) => Buffer.from(envelope.split(';base64,')[1]?.split('"')[0] ?? '', 'base64')
  const pdf = bytes(open(key.privateKey, file.body['value']))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(refusalOf(await send(data, `GET ${path}/documents/annex/file`))).toEqual([404, 'flows.no_document'])

  const [{ document_id } = {}] = documents
  const put = `PUT /api/company-data/documents/${String(document_id)}\nContent-Type: application/json\n\n{"status": "ended"}`
  expect(refusalOf(await send(data, put))).toEqual([409, 'documents.run_managed'])
  expect(await read(id)).toMatchObject({ document_id: made['document_id'] })
  const own = `/api/company-connections/${person.connectionId}/documents/${String(document_id)}`
  await expect.poll(async () => (await send(person.access, `GET ${own}`)).body['status']).toBe('ready_to_sign')
  const copy = (await send(person.access, `GET ${own}`)).body
  const theirs = (await send(person.access, `GET ${own}/file`)).body
  expect(bytes(open(privateKeyOf(person.privateKeyBytes), theirs['value'])).equals(pdf)).toBe(true)
  const content = String(copy['content_sha256'])
  const { otk, sealed } = underOneTimeKey(pdf)
  const act = { method: 'biometric', content_sha256: content, plain_sha256: sha256(pdf), otk, pdf: sealed[0] }
  await must(200, post(`${own}/sign`, { ...act, assertion: phone.sign(content) }, person.access))
  expect(await read(id)).toMatchObject({ status: 'completed' })
  const output = await send(person.access, `GET ${ownPath(id)}/documents/contract/file`)
  expect(output.body).toMatchObject({ encrypted: true, value: expect.any(String) })
  const [signed, , completed] = await drained(id)
  expect(signed).toMatchObject({ event: 'document_status_changed', document_id, action: 'signed', status: 'active' })
  expect(completed).toMatchObject({ event: 'flow_completed', flow_run_id: id })
})

test('a contract that a party declines is cancelled, and its open copies end', async () => {
  const id = await toTheEnd(contract)
  await must(200, post(`${RUNS}/${id}/answers`, { answers: [], leaf: true }))
  await must(200, post(`${RUNS}/${id}/generate`, handOver()))
  await drained(id)
  await untilTheirs(id, 'awaiting_signature')
  const declined = await send(person.access, `POST ${ownPath(id)}/decline`)
  expect(declined).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  expect((await drained(id)).map(({ event, status }) => [event, status])).toEqual([
    ['document_status_changed', 'ended'],
    ['flow_cancelled', undefined],
  ])
  expect(refusalOf(await post(`${RUNS}/${id}/generate`, handOver()))).toEqual([409, 'flows.not_generatable'])
})
