import { instant } from '@sealpost/kernel'
import { type DocumentStatus, documentStatuses } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { RunId, StatusMembers } from '../model.ts'
import { firstStatus, holdsConnection, isContract, isOpen, isRunManaged } from './contracts.ts'
import { dateAfter, dateOf } from './dates.ts'
import { mergeMetadata, noticeDays } from './metadata.ts'
import { newStatus } from './run-copies.ts'
import { changeStatus, type StatusRequest } from './status.ts'
import { readTarget } from './target.ts'

const everyStatus: readonly DocumentStatus[] = [
  'waiting',
  'offering',
  'ready_to_sign',
  'active',
  'active_but_ending',
  'ended',
]

const TODAY = '2027-01-31'
const REQUEST = { cancelEffectiveDate: '2027-02-01', noticeDays: 0, now: instant(Date.UTC(2027, 0, 31, 12)) }

/** As the company has left it. */
function standing(status: DocumentStatus): StatusMembers {
  const isEnding = status === 'active_but_ending'
  return {
    status,
    cancelEffectiveDate: isEnding ? REQUEST.cancelEffectiveDate : null,
    cancelSetBy: isEnding ? 'company' : null,
    customerCancelDate: null,
  }
}

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
  const changed = everyStatus.flatMap((before) =>
    everyStatus.flatMap((status) => {
      const change = changeStatus(standing(before), { ...REQUEST, status })
      return change.ok ? (change.value?.status ?? []) : []
    }),
  )
  const alone = new Set([...firsts, ...changed])
  expect(everyStatus.filter((status) => alone.has(status))).toEqual(everyStatus.filter((one) => one !== 'waiting'))
  const places = [1, 2, null].map((position) => newStatus(position, 'accept'))
  expect(places).toEqual(['offering', 'waiting', 'active'])
})

describe('a change of the status by the company', () => {
  const change = (before: DocumentStatus, status: DocumentStatus, given: Partial<StatusRequest> = {}) =>
    changeStatus(standing(before), { ...REQUEST, ...given, status })

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

  test.each(everyStatus.filter((status) => status !== 'active_but_ending'))(
    'to %s changes nothing where it has it',
    (status) => {
      expect(change(status, status)).toEqual({ ok: true, value: null })
    },
  )

  test('an end takes place today, an activation forgets the date', () => {
    expect(change('active', 'ended')).toEqual({
      ok: true,
      value: { status: 'ended', cancelEffectiveDate: TODAY, cancelSetBy: 'company', customerCancelDate: null },
    })
    expect(change('active_but_ending', 'active')).toEqual({
      ok: true,
      value: { status: 'active', cancelEffectiveDate: null, cancelSetBy: null, customerCancelDate: null },
    })
  })

  test('an ending needs a date that is to come, or a notice of at least a day', () => {
    const end = (given: Partial<StatusRequest>) => change('active', 'active_but_ending', given)
    expect(end({})).toEqual({ ok: true, value: standing('active_but_ending') })
    for (const cancelEffectiveDate of [TODAY, '2027-01-30'])
      expect(end({ cancelEffectiveDate })).toEqual({ ok: false, refusal: 'date_past' })
    const cancelEffectiveDate = null
    expect(end({ cancelEffectiveDate, noticeDays: 0 })).toEqual({ ok: false, refusal: 'date_missing' })
    expect(end({ cancelEffectiveDate, noticeDays: 1 })).toEqual({ ok: true, value: standing('active_but_ending') })
  })
})

describe('the date of an ending', () => {
  const move = (before: StatusMembers, cancelEffectiveDate: string | null, days = 0) =>
    changeStatus(before, { ...REQUEST, status: 'active_but_ending', cancelEffectiveDate, noticeDays: days })
  const notAllowed = { ok: false, refusal: 'not_allowed' }

  test('is moved by the company that has set it, and stays where the same one or none is given', () => {
    const own = standing('active_but_ending')
    for (const date of ['2027-03-01', '2028-01-01'])
      expect(move(own, date)).toEqual({ ok: true, value: { ...own, cancelEffectiveDate: date } })
    expect(move(own, TODAY)).toEqual({ ok: false, refusal: 'date_past' })
    expect(move(own, own.cancelEffectiveDate)).toEqual({ ok: true, value: null })
    expect(move(own, null, 30)).toEqual({ ok: true, value: null })
    expect(move({ ...own, cancelEffectiveDate: TODAY }, TODAY)).toEqual({ ok: true, value: null })
  })

  // An earlier release did not record the side.
  test.each(['customer', null] as const)('of a cancellation by %s is brought forward and no more', (cancelSetBy) => {
    const date = '2027-03-01'
    const customerCancelDate = cancelSetBy === null ? null : date
    const cancelled: StatusMembers = {
      status: 'active_but_ending',
      cancelEffectiveDate: date,
      cancelSetBy,
      customerCancelDate,
    }
    const active = (before: StatusMembers) => changeStatus(before, { ...REQUEST, status: 'active' })
    expect(move(cancelled, '2027-03-02')).toEqual(notAllowed)
    expect(active(cancelled)).toEqual(notAllowed)
    const earlier: StatusMembers = {
      status: 'active_but_ending',
      cancelEffectiveDate: '2027-02-10',
      cancelSetBy: 'company',
      customerCancelDate: date,
    }
    expect(move(cancelled, '2027-02-10')).toEqual({ ok: true, value: earlier })
    expect(move(earlier, '2027-02-20')).toEqual({ ok: true, value: { ...earlier, cancelEffectiveDate: '2027-02-20' } })
    expect(move(earlier, '2027-03-02')).toEqual(notAllowed)
    expect(active(earlier)).toEqual(notAllowed)
    expect(changeStatus(earlier, { ...REQUEST, status: 'ended' })).toMatchObject({ ok: true })
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
