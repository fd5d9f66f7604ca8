import { bodyOf, listOf, openWorld, scaled, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { type Body, copyPath, DOCUMENTS, sendTo, TERMS } from '../testing/documents.ts'

const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld()
const service = await world.service()
const { person, connectionId } = await world.customer(service, [])

/** The documents of the record, from the read of one connection and from the list. */
async function documentsOf(): Promise<{ readonly documents: readonly Body[]; readonly total: unknown }> {
  const one = await bodyOf(person.calls('GET', `/api/company-connections/${connectionId}`))
  const list = await bodyOf(person.calls('GET', '/api/company-connections'))
  expect(listOf(list['connections'])).toContainEqual(one)
  expect(one['documents']).toEqual([])
  const [link] = listOf(one['services'])
  return { documents: listOf(link?.['documents']), total: link?.['documents_total'] }
}

const waitFor = (id: unknown) =>
  expect.poll(async () => (await documentsOf()).documents.map((document) => document['id']), IN_TIME).toContain(id)

async function broadcast(members: Body): Promise<Body> {
  return bodyOf(service.data('POST', DOCUMENTS, { body: { payload_kind: 'json', ...members } }), 201)
}

test('a connection without documents has an empty list', async () => {
  expect(await documentsOf()).toEqual({ documents: [], total: 0 })
})

test('the record carries documents and broadcasts with their content as objects, newest first', async () => {
  const value = await sealTo(person.user.keys.publicKey, TERMS)
  const contract = { value, description: 'For the shop', metadata: { plan_name: 'Basic' }, is_private: true }
  const { id } = await sendTo(service, person, connectionId, contract)
  const notice = await broadcast({ name: 'Notice', value: { title: 'Closed', fields: [] } })
  await waitFor(id)
  await waitFor(notice['id'])
  const { documents, total } = await documentsOf()
  expect(total).toBe(2)
  expect(documents.map((document) => document['id'])).toEqual([notice['id'], id])
  expect(documents[0]).toMatchObject({ name: 'Notice', value: { title: 'Closed', fields: [] }, signatures: [] })
  const { value: _text, ...copy } = await bodyOf(person.calls('GET', copyPath(connectionId, id)))
  expect(documents[1]).toEqual({ ...copy, value: JSON.parse(value) })
  expect(documents[1]).toMatchObject({
    description: 'For the shop',
    is_private: true,
    metadata: { plan_name: 'Basic' },
    signatures: [],
  })
  expect(await bodyOf(person.calls('GET', copyPath(connectionId, id)))).toMatchObject({ value })
})

test('files, and JSON that no message holds, are references to the file of the document', async () => {
  const long = await sealTo(person.user.keys.publicKey, JSON.stringify({ title: 'x'.repeat(250_000) }))
  const plain = { kind: 'document', requires_signature: false }
  const json = await sendTo(service, person, connectionId, { ...plain, value: long })
  const paper = await sendTo(service, person, connectionId, { ...plain, payload_kind: 'file' })
  const sealed = await sealTo(
    person.user.keys.publicKey,
    JSON.stringify({ file: 'data:application/pdf;base64,JVBERi0=' }),
  )
  await bodyOf(service.data('POST', `${DOCUMENTS}/${paper.id}/file`, { body: { value: sealed } }))
  const price = await broadcast({ name: 'Prices', payload_kind: 'file' })
  const list = { file: 'data:image/png;base64,iVBORw0KGgo=', original_name: 'prices.png' }
  await bodyOf(service.data('POST', `${DOCUMENTS}/${String(price['id'])}/file`, { body: list }))
  for (const [id, value] of [
    [json.id, long],
    [paper.id, sealed],
    [String(price['id']), null],
  ] as const) {
    await waitFor(id)
    const found = (await documentsOf()).documents.find((document) => document['id'] === id)
    expect(found?.['value']).toEqual({ _enc_file: id })
    const { body } = await person.calls('GET', `${copyPath(connectionId, id)}/file`)
    expect(body).toMatchObject(value === null ? { encrypted: false } : { encrypted: true, value })
  }
})

test('the record carries the newest fifty, and how many there are', async () => {
  const ids: unknown[] = []
  for (let place = 0; place < 51; place += 1)
    ids.push((await broadcast({ name: `Notice ${place}`, value: place }))['id'])
  await waitFor(ids.at(-1))
  await expect.poll(async () => (await documentsOf()).total, IN_TIME).toBe(56)
  const { documents } = await documentsOf()
  expect(documents.map((document) => document['id'])).toEqual(ids.slice(1).toReversed())
})

test('a broadcast document is a hint to the devices of its customers', async () => {
  const notice = await broadcast({ name: 'New hours', value: { title: 'Open' } })
  const sql = `select kind from devices.hint where account_id = $1 and object_id = $2`
  const hints = () => world.rows(sql, [person.userId, notice['id']], 'us')
  await expect.poll(hints, IN_TIME).toEqual([{ kind: 'document_created' }])
  await bodyOf(service.data('PUT', `${DOCUMENTS}/${String(notice['id'])}`, { body: { name: 'Newer hours' } }))
  await expect.poll(async () => (await documentsOf()).documents[0], IN_TIME).toMatchObject({ name: 'Newer hours' })
  expect(await hints()).toHaveLength(1)
})
