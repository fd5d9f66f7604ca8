import { bodyOf, flowAuthor, openWorld, sealTo } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { listenTo } from './testing/listen.ts'
import { offer, write } from './testing/send.ts'

const world = await openWorld()
const service = await world.service([])

async function follow() {
  const { person, connectionId } = await world.customer(service, [])
  const reader = await listenTo(person)
  world.onEnd(() => reader.close())
  return { person, connectionId, reader }
}

test('a document and its acceptance on one device are hints to all devices', async () => {
  const { person, connectionId, reader } = await follow()
  const { id, contentSha256 } = await offer(service, person, connectionId)
  await expect.poll(reader.hints).toEqual([{ kind: 'document_created', id }])
  const path = `/api/company-connections/${connectionId}/documents/${id}/accept`
  await bodyOf(person.calls('POST', path, { body: { content_sha256: contentSha256 } }))
  await expect.poll(reader.hints).toContainEqual({ kind: 'document_status_changed', id })
})

test('messages that were read on one device are read on the others', async () => {
  const { person, connectionId, reader } = await follow()
  const id = await write(service, person, connectionId, 'Read me')
  await expect.poll(reader.hints).toHaveLength(1)
  await bodyOf(
    person.calls('POST', `/api/company-connections/${connectionId}/messages/read`, { body: { message_id: id } }),
  )
  await expect.poll(reader.hints).toContainEqual({ kind: 'messages_read', id: connectionId })
})

test('a message that one device wrote, and its receipt by the service, are hints to all devices', async () => {
  const { person, connectionId, reader } = await follow()
  const body = {
    body: await service.seal('Is it free?'),
    sender_body: await sealTo(person.user.keys.publicKey, 'Is it free?'),
  }
  const sent = await bodyOf(person.calls('POST', `/api/company-connections/${connectionId}/messages`, { body }), 201)
  await expect.poll(reader.hints).toEqual([{ kind: 'message_sent', id: connectionId }])
  const read = `/api/company-data/connections/${connectionId}/messages/read`
  const acknowledge = () => service.data('POST', read, { body: { message_id: sent['message_id'] } })
  await expect.poll(async () => (await acknowledge()).status).toBe(200)
  await expect.poll(reader.hints).toContainEqual({ kind: 'messages_read', id: connectionId })
  await bodyOf(acknowledge())
  expect(reader.hints()).toHaveLength(2)
})

test('an edit, a deletion and another answer on one device are hints to all', async () => {
  const asking = await world.service([{ slug: 'name' }])
  const { person, connectionId } = await world.customer(asking, [{ slug: 'name', text: 'Mara' }])
  const reader = await listenTo(person)
  world.onEnd(() => reader.close())
  const id = person.field('phone')
  await person.put('phone', '+46 70 555 01 42')
  await expect.poll(reader.hints).toEqual([{ kind: 'value_changed', id }])
  await bodyOf(person.calls('DELETE', `/api/contact-data/${id}`), 204)
  await expect.poll(reader.hints).toHaveLength(2)
  await person.remap(asking, connectionId, [{ slug: 'name', text: 'Mara Lind' }])
  const changed = { kind: 'value_changed', id }
  await expect.poll(reader.hints).toEqual([changed, changed, { kind: 'answers_changed', id: connectionId }])
})

test('the end of a connection is a hint', async () => {
  const { connectionId, reader } = await follow()
  await bodyOf(service.data('DELETE', `/api/company-data/connections/${connectionId}`), 204)
  await expect.poll(reader.hints).toContainEqual({ kind: 'connection_deleted', id: connectionId })
})

test('a request to connect and its answer are hints', async () => {
  const person = await world.person()
  const reader = await listenTo(person)
  const asked = { body: { share_code: person.shareCode } }
  const { request_id: id } = await bodyOf(service.data('POST', '/api/company-data/connect-requests', asked), 201)
  await expect.poll(reader.hints).toEqual([{ kind: 'connect_request_received', id }])
  await bodyOf(person.calls('POST', `/api/customer/connect-requests/${String(id)}/reject`, { body: {} }))
  await expect.poll(reader.hints).toContainEqual({ kind: 'connect_request_closed', id })
  await reader.close()
})

test('new request fields are a hint to every person who is asked', async () => {
  const asking = await world.service([{ slug: 'name' }, { slug: 'shop', audience: 'company' }])
  const { person, connectionId } = await world.customer(asking, [])
  const reader = await listenTo(person)
  world.onEnd(() => reader.close())
  await asking.publish([{ slug: 'name' }, { slug: 'shop', audience: 'company' }, { slug: 'till', audience: 'company' }])
  await asking.publish([{ slug: 'name' }, { slug: 'town' }])
  await expect.poll(reader.hints).toContainEqual({ kind: 'consent_requested', id: connectionId })
  expect(reader.hints()).toHaveLength(1)
})

test('the turns and the end of a run are hints to the devices of the persons in it', async () => {
  const { person, connectionId, reader } = await follow()
  const step = (key: string, party: string) => ({
    key,
    party,
    title: key,
    elements: [{ kind: 'field', slug: `${key}_text`, field_type: 'text', label: key, required: false }],
  })
  const { flowId } = await flowAuthor(service).published({
    entry: 'ask',
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Us', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [step('ask', 'us'), step('first', 'customer'), step('second', 'customer')],
    edges: [
      { from: 'ask', to: 'first', sort: 0, condition: null },
      { from: 'first', to: 'second', sort: 0, condition: null },
    ],
    constants: [],
  })
  const start = async () => {
    const body = { target: { connection_id: connectionId } }
    return String((await bodyOf(service.data('POST', `/api/company-data/flows/${flowId}/runs`, { body }), 201))['id'])
  }
  const own = (run: string) => `/api/company-connections/${connectionId}/flow-runs/${run}/answers`
  const id = await start()
  await expect.poll(reader.hints).toEqual([{ kind: 'flow_run_turn', id }])
  const runs = '/api/company-data/flow-runs'
  await bodyOf(service.data('POST', `${runs}/${id}/answers`, { body: { answers: [], next_node: 'first' } }))
  await expect.poll(reader.hints).toHaveLength(2)
  const values = [
    { for_user_id: service.company.companyId, value: await service.seal('x') },
    { for_user_id: person.user.userId, value: await sealTo(person.user.keys.publicKey, 'x') },
  ]
  const answers = [{ slug: 'first_text', values }]
  await bodyOf(person.calls('POST', own(id), { body: { answers, next_node: 'second' } }))
  await bodyOf(person.calls('POST', own(id), { body: { answers: [], leaf: true } }))
  // The second step of the same party is no new turn.
  const turn = { kind: 'flow_run_turn', id }
  await expect.poll(reader.hints).toEqual([turn, turn, { kind: 'flow_completed', id }])
  const cancelled = await start()
  await bodyOf(service.data('POST', `${runs}/${cancelled}/cancel`))
  await expect.poll(reader.hints).toContainEqual({ kind: 'flow_cancelled', id: cancelled })
  for (const hint of reader.hints()) expect(Object.keys(hint as object)).toEqual(['kind', 'id'])
})
