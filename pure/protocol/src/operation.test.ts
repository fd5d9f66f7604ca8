import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { answersXml, gateErrors, isWrite, levelError, type Operation } from './operation.ts'

const base = {
  id: 'things.read',
  method: 'GET',
  path: '/api/things',
  document: 'account',
  summary: 'Read',
  callers: ['portal'],
  rate: 'data',
  success: { status: 200, about: 'It' },
  errors: [],
} satisfies Operation

const operation = (members: Partial<Operation>): Operation => ({ ...base, ...members })
const caller = [
  'auth.token_missing',
  'auth.token_invalid',
  'auth.expired',
  'region.rebase_required',
  'auth.client_endpoint_forbidden',
]
const end = ['region.unreachable', 'platform.busy', 'platform.internal_error']
const thing = Type.Object({})

describe('the gates refuse, in their order', () => {
  test.each<[what: string, members: Partial<Operation>, keys: readonly string[]]>([
    ['a read', {}, ['platform.out_of_order', ...caller, 'rate.limited']],
    ['a read of the front door', { document: 'front-door' }, [...caller, 'rate.limited']],
    ['a public read', { callers: [] }, ['platform.out_of_order', 'rate.limited']],
    ['one without a limit', { rate: null }, ['platform.out_of_order', ...caller]],
    [
      'one of company data',
      { path: '/api/company-data/x' },
      ['platform.out_of_order', ...caller, 'company_data.no_client', 'rate.limited'],
    ],
    [
      'one that needs a level',
      { level: 'basic' },
      ['platform.out_of_order', ...caller, 'account.level_required', 'rate.limited'],
    ],
    ['a login', { rate: 'login' }, ['platform.out_of_order', ...caller, 'rate.limited', 'rate.unavailable']],
    ['messages', { rate: 'messages' }, ['platform.out_of_order', ...caller, 'rate.limited', 'messages.rate_limited']],
    [
      'broadcasts',
      { rate: 'broadcast' },
      ['platform.out_of_order', ...caller, 'rate.limited', 'messages.rate_limited'],
    ],
    ['a write', { method: 'DELETE' }, ['platform.out_of_order', ...caller, 'rate.limited', 'db.writes_paused']],
    [
      'a write that goes on',
      { method: 'DELETE', ignoresPause: true },
      ['platform.out_of_order', ...caller, 'rate.limited'],
    ],
    [
      'a drain',
      { drains: true },
      ['platform.out_of_order', ...caller, 'rate.limited', 'db.writes_paused', 'request.method_not_allowed'],
    ],
    ['a path with an id', { params: thing }, ['platform.out_of_order', ...caller, 'rate.limited', 'request.not_found']],
    ['a query', { query: thing }, ['platform.out_of_order', ...caller, 'rate.limited', 'request.invalid']],
    [
      'a body',
      { body: thing },
      [
        'platform.out_of_order',
        ...caller,
        'rate.limited',
        'request.invalid',
        'request.too_large',
        'request.unsupported_media_type',
      ],
    ],
    ['a form', { body: thing, bodyType: 'form', method: 'POST' }, ['platform.out_of_order', ...caller, 'rate.limited']],
    [
      'a creation',
      { creates: true, method: 'POST' },
      [
        'platform.out_of_order',
        ...caller,
        'rate.limited',
        'db.writes_paused',
        'request.invalid',
        'idempotency.conflict',
        'idempotency.in_progress',
      ],
    ],
  ])('%s', (_, members, keys) => {
    expect(gateErrors(operation(members))).toEqual([...keys, ...end])
  })
})

test('messages and broadcasts have a refusal of their own for an account below their level', () => {
  expect((['messages', 'broadcast', 'data', null] as const).map((rate) => levelError(operation({ rate })))).toEqual([
    'messages.messaging_not_entitled',
    'messages.messaging_not_entitled',
    'account.level_required',
    'account.level_required',
  ])
})

test('a write is everything but a read, and a read that takes away', () => {
  expect(
    [{}, { method: 'POST' }, { method: 'DELETE' }, { drains: true }].map((members) =>
      isWrite(operation(members as Partial<Operation>)),
    ),
  ).toEqual([false, true, true, true])
})

test('XML is answered to callers under /api/, unless a route is JSON only', () => {
  const routes = [{}, { callers: [] }, { jsonOnly: true }, { path: '/oauth2/token' }, { path: '/x/api/' }]
  expect(routes.map((members) => answersXml(operation(members as Partial<Operation>)))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
