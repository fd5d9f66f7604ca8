import { instant, type FieldId, type RequestFieldId } from '@sealpost/kernel'
import type { DecisionKind } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import type { Mapping } from '../model.ts'
import { askedRow } from '../testing/asked-row.ts'
import type { Content, Planned } from './decisions.ts'
import { isRepeated, planConsent, planRemap } from './remap.ts'
import { missingAtConnect, pendingRows } from './rows.ts'

const answered = (slug: string, live = true): Mapping => ({
  state: 'answered',
  requestFieldId: slug as RequestFieldId,
  kind: live ? 'linked' : 'one_time',
  live,
  sourceFieldId: `source of ${slug}` as FieldId,
  rev: 1,
  providedAt: instant(0),
  decisionSha256: `digest of ${slug}`,
})

const declined = (slug: string): Mapping => ({
  state: 'declined',
  requestFieldId: slug as RequestFieldId,
  rev: 1,
  providedAt: instant(0),
})

const planned = (slug: string, from: Content['from'] = 'wrapper', kind: DecisionKind = 'typed'): Planned => ({
  place: '/body/decisions/0',
  row: askedRow(slug),
  kind,
  live: kind !== 'one_time',
  source: null,
  content: from === 'kept' ? { from } : { from: 'wrapper', wrapper: '{}' },
  senderSignature: null,
})

const summary = ({ sets, withdrawals, missing }: ReturnType<typeof planRemap>) => ({
  sets: sets.map((set) => `${set.planned.row.slug} ${set.cause}`),
  withdrawals: withdrawals.map(({ requestFieldId }) => String(requestFieldId)),
  missing,
})

describe('a re-map', () => {
  const rows = [
    askedRow('a'),
    askedRow('b'),
    askedRow('c', { mandatory_connected: true }),
    askedRow('d', { mandatory_provide: true }),
  ]

  test('sets named slots, withdraws those that it says, and keeps all others', () => {
    const before = [answered('a'), answered('b'), answered('e', false), declined('f')]
    const some = planRemap(rows, before, [planned('a')], new Set(['b', 'e', 'f', 'unanswered']))
    expect(summary(some)).toEqual({ sets: ['a remap'], withdrawals: ['b', 'e'], missing: [] })
    const none = planRemap(rows, [...before, answered('c'), answered('d')], [planned('d', 'kept')], new Set())
    expect(summary(none)).toEqual({ sets: [], withdrawals: [], missing: [] })
  })

  test('counts as consent for a row without an answer', () => {
    expect(summary(planRemap(rows, [declined('b')], [planned('a'), planned('b')], new Set())).sets).toEqual([
      'a consent',
      'b consent',
    ])
  })

  test('cannot withdraw the answer to a mandatory row', () => {
    const both = new Set(['c', 'd'])
    expect(planRemap(rows, [answered('c'), answered('d')], [], both).missing).toEqual(['c', 'd'])
    expect(planRemap(rows, [declined('c')], [], both).missing).toEqual([])
  })
})

describe('a consent', () => {
  test('sets pending rows, and names those that are no longer pending', () => {
    const mappings = [answered('a'), declined('b')]
    expect(planConsent(mappings, [planned('c')])).toMatchObject({ answered: [], sets: [{ cause: 'consent' }] })
    expect(planConsent(mappings, [planned('a'), planned('b'), planned('c')]).answered).toEqual(['a', 'b'])
  })

  test('is repeated when every decision is the one that was stored', () => {
    const mappings = [answered('a'), answered('b'), declined('c')]
    const repeated = (...decisions: readonly [string, string][]) => isRepeated(mappings, new Map(decisions))
    expect(repeated(['a', 'digest of a'])).toBe(true)
    expect(repeated(['a', 'digest of a'], ['b', 'digest of b'])).toBe(true)
    expect(repeated(['a', 'another'])).toBe(false)
    expect(repeated(['a', 'digest of a'], ['c', 'digest of c'])).toBe(false)
    expect(repeated(['a', 'digest of a'], ['d', 'digest of d'])).toBe(false)
    expect(repeated()).toBe(false)
  })
})

describe('a request row', () => {
  const rows = [
    askedRow('both', { mandatory_provide: true }),
    askedRow('persons', { audience: 'person', mandatory_connected: true }),
    askedRow('companies', { audience: 'company', mandatory_provide: true }),
    askedRow('optional'),
  ]

  test('is pending for its audience until it is answered or declined', () => {
    const pending = pendingRows(rows, 'person', [answered('both'), declined('optional')])
    expect(pending.map(({ slug }) => slug)).toEqual(['persons'])
  })

  test('is missing at connect if it is mandatory and has no decision', () => {
    expect(missingAtConnect(rows, 'person', new Set(['both']))).toEqual(['persons'])
    expect(missingAtConnect(rows, 'company', new Set())).toEqual(['both', 'companies'])
  })
})
