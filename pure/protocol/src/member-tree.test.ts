import { findUnknownMembers } from '@sealpost/kernel'
import Type, { type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
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

describe('the tree of a body', () => {
  const tree = (body: TSchema, answer?: TSchema) => {
    const success = { status: 200, about: '', ...(answer === undefined ? {} : { body: answer }) } as const
    return memberTreeOf({ ...createWebhook, body, success })
  }
  const text = Type.String()
  const named = Type.Object({ name: text })

  test('has members of members, through lists and alternatives', () => {
    expect(tree(named)).toEqual({ name: null })
    expect(tree(Type.Object({ a: named, b: Type.Array(named), c: text }))).toEqual({
      a: { name: null },
      b: { name: null },
      c: null,
    })
    expect(tree(Type.Union([named, Type.Object({ other: named }), Type.Null()]))).toEqual({
      name: null,
      other: { name: null },
    })
    expect(
      tree(Type.Object({ a: Type.Union([named, Type.Literal('all'), Type.Array(Type.Object({ x: text }))]) })),
    ).toEqual({
      a: { name: null, x: null },
    })
  })

  test('ends where any content is allowed', () => {
    expect(tree(Type.Object({ a: Type.Unknown() }))).toEqual({ a: null })
    expect(tree(Type.Object({ a: Type.Object({ b: text }, { additionalProperties: text }) }))).toEqual({ a: null })
    expect(tree(Type.Object({ a: Type.Object({ b: text }, { additionalProperties: false }) }))).toEqual({
      a: { b: null },
    })
    expect(tree(Type.Object({ a: Type.Record(Type.String(), named) }))).toEqual({ a: null })
    expect(tree(Type.Object({ a: Type.Union([named, Type.Unknown()]) }))).toEqual({ a: null })
    expect(tree(Type.Unknown())).toBeNull()
    expect(tree(text)).toBeNull()
  })

  test('marks what only the answer has, at any depth', () => {
    expect(
      tree(Type.Object({ a: named }), Type.Object({ a: Type.Object({ name: text, id: text }), made: text })),
    ).toEqual({
      a: { name: null, id: false },
      made: false,
    })
    expect(tree(Type.Object({ a: text, b: named }), Type.Object({ a: named, b: text }))).toEqual({
      a: null,
      b: { name: null },
    })
    expect(tree(named, Type.Unknown())).toEqual({ name: null })
  })
})

test('reads and forms have none', () => {
  expect(memberTreeOf(listWebhooks)).toBeNull()
  expect(memberTreeOf(requestToken)).toBeNull()
})
