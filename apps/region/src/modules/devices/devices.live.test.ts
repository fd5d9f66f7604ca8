import { bodyOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { copyPath, sendTo, sha256 } from '../documents/testing/documents.ts'
import { ownPath, write } from '../messages/testing/messages.ts'
import { listenTo } from './testing/listen.ts'

const world = await openWorld()
const service = await world.service([])

async function follow() {
  const { person, connectionId } = await world.customer(service, [])
  const reader = await listenTo(person)
  world.onEnd(() => reader.close())
  return { person, connectionId, reader, kinds: () => reader.hints().map((hint) => Object(hint).kind) }
}

test('a document, its acceptance on one device and its end are hints to all devices', async () => {
  const { person, connectionId, reader, kinds } = await follow()
  const offered = { requires_signature: false, requires_acceptance: true }
  const { id, value } = await sendTo(service, person, connectionId, offered)
  await expect.poll(reader.hints).toEqual([{ kind: 'document_created', id }])
  const body = { content_sha256: sha256(JSON.stringify(value)) }
  await bodyOf(person.calls('POST', `${copyPath(connectionId, id)}/accept`, { body }))
  await expect.poll(kinds).toContain('document_status_changed')
})

test('messages that were read on one device are read on the others', async () => {
  const { person, connectionId, reader } = await follow()
  const id = await write(service, person, connectionId, 'Read me')
  await expect.poll(reader.hints).toHaveLength(1)
  await bodyOf(person.calls('POST', `${ownPath(connectionId)}/read`, { body: { message_id: id } }))
  await expect.poll(reader.hints).toContainEqual({ kind: 'messages_read', id: connectionId })
})

test('the end of a connection is a hint, from either side', async () => {
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
