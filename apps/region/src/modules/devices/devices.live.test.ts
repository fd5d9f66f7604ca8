import { bodyOf, openWorld } from '@sealpost/testkit'
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
