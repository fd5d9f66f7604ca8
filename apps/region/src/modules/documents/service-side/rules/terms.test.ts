import { instant } from '@sealpost/kernel'
import { type DocumentStatus, documentStatuses } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { RunId } from '../model.ts'
import { firstStatus, holdsConnection, isContract, isOpen, isRunManaged } from './contracts.ts'
import { dateAfter, dateOf } from './dates.ts'
import { mergeMetadata, noticeDays } from './metadata.ts'
import { newStatus } from './run-copies.ts'
import { changeStatus } from './status.ts'
import { readTarget } from './target.ts'

const everyStatus: readonly DocumentStatus[] = [
  'waiting',
  'offering',
  'ready_to_sign',
  'active',
  'active_but_ending',
  'ended',
]

describe('terms', () => {
  test.each([
    { kind: 'document', requiresSignature: false, requiresAcceptance: false, contract: false, first: 'active' },
    { kind: 'document', requiresSignature: true, requiresAcceptance: false, contract: true, first: 'ready_to_sign' },
    { kind: 'document', requiresSignature: false, requiresAcceptance: true, contract: true, first: 'offering' },
    { kind: 'document', requiresSignature: true, requiresAcceptance: true, contract: true, first: 'ready_to_sign' },
    { kind: 'subscription', requiresSignature: false, requiresAcceptance: false, contract: true, first: 'active' },
  ] as const)(
    '$kind, signature $requiresSignature, acceptance $requiresAcceptance',
    ({ contract, first, ...terms }) => {
      expect(isContract(terms)).toBe(contract)
      expect(firstStatus(terms)).toBe(first)
    },
  )

  test('a contract in force holds the connection; a document, an upload and an ended contract do not', () => {
    const one = { kind: 'subscription', status: 'active', isPending: false, runId: null, sealedAt: null } as const
    const inForce = ['active', 'active_but_ending']
    expect(everyStatus.filter((status) => holdsConnection({ ...one, status }))).toEqual(inForce)
    expect(holdsConnection({ ...one, kind: 'document' })).toBe(false)
    expect(holdsConnection({ ...one, isPending: true })).toBe(false)
    const copy = { ...one, runId: '00000000-0000-7000-8000-000000000001' as RunId }
    expect(everyStatus.filter((status) => holdsConnection({ ...copy, status }))).toEqual([])
    const sealed = { ...copy, sealedAt: instant(1) }
    expect(everyStatus.filter((status) => holdsConnection({ ...sealed, status }))).toEqual(inForce)
  })

  test('the run alone changes a copy until it is complete', () => {
    const runId = '00000000-0000-7000-8000-000000000001' as RunId
    const open = ['waiting', 'offering', 'ready_to_sign']
    expect(everyStatus.filter((status) => isOpen(status))).toEqual(open)
    expect(everyStatus.filter((status) => isRunManaged({ runId, status }))).toEqual(open)
    expect(everyStatus.filter((status) => isRunManaged({ runId: null, status }))).toEqual([])
  })
})

test('a document has one of five statuses, and waits only as a copy of a run [DOC-14]', () => {
  expect(documentStatuses).toEqual(everyStatus)
  const flags = [true, false]
  const firsts = flags.flatMap((requiresSignature) =>
    flags.map((requiresAcceptance) => firstStatus({ requiresSignature, requiresAcceptance })),
  )
  const request = { cancelEffectiveDate: '2027-02-01', today: '2027-01-31' }
  const changed = everyStatus.flatMap((before) =>
    everyStatus.flatMap((status) => {
      const change = changeStatus(before, { ...request, status })
      return change.ok ? (change.value?.status ?? []) : []
    }),
  )
  const alone = new Set([...firsts, ...changed])
  expect(everyStatus.filter((status) => alone.has(status))).toEqual(everyStatus.filter((one) => one !== 'waiting'))
  const places = [1, 2, null].map((position) => newStatus(position, 'accept'))
  expect(places).toEqual(['offering', 'waiting', 'active'])
})

describe('a change of the status by the company', () => {
  const today = '2027-01-31'
  const change = (before: DocumentStatus, status: DocumentStatus, cancelEffectiveDate: string | null = '2027-02-01') =>
    changeStatus(before, { status, cancelEffectiveDate, today })

  test.each([
    ['waiting', []],
    ['offering', ['ended']],
    ['ready_to_sign', ['ended']],
    ['active', ['active_but_ending', 'ended']],
    ['active_but_ending', ['active', 'ended']],
    ['ended', []],
  ] as const)('from %s leads to %j', (before, allowed) => {
    const others = everyStatus.filter((status) => status !== before)
    expect(others.filter((status) => change(before, status).ok)).toEqual(allowed)
    for (const status of others.filter((other) => !allowed.some((one) => one === other)))
      expect(change(before, status)).toEqual({ ok: false, refusal: 'not_allowed' })
  })

  test.each(everyStatus)('to %s changes nothing where it has it', (status) => {
    expect(change(status, status)).toEqual({ ok: true, value: null })
  })

  test('an end takes place today, an activation forgets the date, an ending needs a date that is to come', () => {
    expect(change('active', 'ended')).toEqual({ ok: true, value: { status: 'ended', cancelEffectiveDate: today } })
    expect(change('active_but_ending', 'active')).toEqual({
      ok: true,
      value: { status: 'active', cancelEffectiveDate: null },
    })
    expect(change('active', 'active_but_ending')).toEqual({
      ok: true,
      value: { status: 'active_but_ending', cancelEffectiveDate: '2027-02-01' },
    })
    expect(change('active', 'active_but_ending', null)).toEqual({ ok: false, refusal: 'date_missing' })
    expect(change('active', 'active_but_ending', today)).toEqual({ ok: false, refusal: 'date_past' })
    expect(change('active', 'active_but_ending', '2027-01-30')).toEqual({ ok: false, refusal: 'date_past' })
  })
})

describe('metadata', () => {
  const refusedAt = (name: string) => ({ ok: false, refusal: { path: `/body/metadata/${name}` } })

  test('a subscription can be cancelled in the app unless stated, other kinds only if stated', () => {
    expect(mergeMetadata('subscription', {}, {})).toEqual({ ok: true, value: { can_be_cancelled_in_app: true } })
    expect(mergeMetadata('document', {}, {})).toEqual({ ok: true, value: { can_be_cancelled_in_app: false } })
    const stated = { can_be_cancelled_in_app: false }
    expect(mergeMetadata('subscription', {}, stated)).toEqual({ ok: true, value: stated })
  })

  test('members are merged by key and removed by null', () => {
    const before = { plan_name: 'Basic', price: '9.00', own: { a: 1 } }
    expect(mergeMetadata('document', before, { plan_name: 'Large', price: null, own: undefined })).toEqual({
      ok: true,
      value: { plan_name: 'Large', can_be_cancelled_in_app: false },
    })
  })

  test.each([
    ['can_be_cancelled_in_app', ['true', 1]],
    ['cancel_notice_days', [-1, 3651, 1.5, '3']],
    ['plan_name', [1]],
    ['price', [9]],
    ['currency', [false]],
    ['renewal_term', [1]],
    ['renewal_date', [{}]],
    ['valid_until', [[]]],
    ['management_url', [7]],
  ])('%s is refused as %j', (name, values) => {
    for (const value of values) expect(mergeMetadata('document', {}, { [name]: value })).toMatchObject(refusedAt(name))
  })

  test('a notice is a whole number of days from 0 to ten years', () => {
    for (const days of [0, 1, 3650])
      expect(mergeMetadata('document', {}, { cancel_notice_days: days })).toMatchObject({ ok: true })
    expect(noticeDays({ can_be_cancelled_in_app: true, cancel_notice_days: 14 })).toBe(14)
    expect(noticeDays({ can_be_cancelled_in_app: true })).toBe(0)
  })

  test('all members together have at most 16 KiB', () => {
    const rest = JSON.stringify({ own: '', can_be_cancelled_in_app: false }).length
    const own = 'x'.repeat(16 * 1024 - rest)
    expect(mergeMetadata('document', {}, { own })).toMatchObject({ ok: true })
    expect(mergeMetadata('document', {}, { own: `${own}x` })).toMatchObject({
      ok: false,
      refusal: { path: '/body/metadata' },
    })
  })
})

describe('the target', () => {
  const id = '00000000-0000-7000-8000-000000000001'

  test('is one customer, named in one of three ways, or nothing for a broadcast', () => {
    expect(readTarget(null)).toEqual({ ok: true, value: null })
    expect(readTarget({ connection_id: id })).toEqual({ ok: true, value: { connectionId: id } })
    expect(readTarget({ person_user_id: id })).toEqual({ ok: true, value: { customerId: id } })
    expect(readTarget({ share_code: ' ab12-cd34 ' })).toEqual({ ok: true, value: { shareCode: 'AB12-CD34' } })
  })

  test('a malformed id names no customer', () => {
    expect(readTarget({ connection_id: 'x' })).toEqual({ ok: true, value: { connectionId: null } })
    expect(readTarget({ person_user_id: 'x' })).toEqual({ ok: true, value: { customerId: null } })
  })

  test('no name and two names are refused', () => {
    const refusal = { ok: false, refusal: { path: '/body/target' } }
    expect(readTarget({})).toMatchObject(refusal)
    expect(readTarget({ connection_id: id, person_user_id: id })).toMatchObject(refusal)
    expect(readTarget({ person_user_id: id, share_code: 'AB12' })).toMatchObject(refusal)
  })
})

test('dates are those of UTC', () => {
  const at = instant(Date.UTC(2028, 1, 28, 23, 59, 59, 999))
  expect(dateOf(at)).toBe('2028-02-28')
  expect(dateAfter(at, 0)).toBe('2028-02-28')
  expect(dateAfter(at, 1)).toBe('2028-02-29')
  expect(dateAfter(at, 366)).toBe('2029-02-28')
})
