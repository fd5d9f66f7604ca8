import { findUnknownMembers } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { memberTreeOf } from './member-tree.ts'
import type { Operation } from './operation.ts'
import { changeMappings } from './operations/company-connections.ts'
import { requestToken } from './operations/oauth.ts'
import { publishRequestFields } from './operations/request-fields.ts'
import { createWebhook, listWebhooks } from './operations/webhooks.ts'

const unknownIn = (operation: Operation, value: unknown) =>
  findUnknownMembers(memberTreeOf(operation) ?? {}, value, 10).map(({ path }) => path)

test('members at any depth are known, others are not', () => {
  expect(unknownIn(createWebhook, { url: 'https://x.example', evnts: [] })).toEqual(['evnts'])
  const decision = { request_field_id: 'x', kind: 'typed', value: { _enc: 1, any: 'thing' }, fil: {} }
  expect(unknownIn(changeMappings, { decisions: [decision] })).toEqual(['decisions[0].fil'])
})

test('older names, and members that the answer shows, are silent', () => {
  const row = { slug: 'a', label: 'A', type: 'text', flow_id: 'x', flow_version: 1, value_count: 2 }
  expect(unknownIn(publishRequestFields, { config_token: 'x', request_fields: [row] })).toEqual([])
  expect(unknownIn(publishRequestFields, { config_token: 'x', fields: [{ slug: 'a', slog: 'b' }] })).toEqual([
    'fields[0].slog',
  ])
  expect(unknownIn(createWebhook, { url: 'x', id: 'x', health: {}, paused: false })).toEqual([])
})

test('reads and forms have none', () => {
  expect(memberTreeOf(listWebhooks)).toBeNull()
  expect(memberTreeOf(requestToken)).toBeNull()
})
