import { expect, test } from 'vitest'
import type { AskedView, ConnectionView, GivenView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { seenBy, seenValues } from './seen-values.ts'

const type = { type: 'text', input: 'line', isFile: false, options: [], entries: [] }
const field = (id: string, text: string | null): FieldView => ({
  id,
  slug: id,
  label: id,
  isOwn: false,
  type,
  provenBy: null,
  value:
    text === null
      ? null
      : { text, isPrivate: true, updatedAt: '2026-05-01T09:30:00Z', verifiedAt: null, isOpened: true },
})
const asked = (slug: string, given: GivenView | null): AskedView => ({
  id: slug,
  slug,
  label: slug,
  type,
  isOneTime: false,
  isNeeded: false,
  wantsVerified: false,
  fits: [],
  suggested: null,
  given,
  isPending: false,
  isDeclined: false,
})
const connection = (id: string, rows: readonly AskedView[]): ConnectionView => ({
  id,
  companyId: id,
  companyName: id,
  serviceName: id,
  code: id,
  connectedAt: '2026-05-01T09:30:00Z',
  asked: rows,
  card: [],
})
const from = (fieldId: string | null, isLive = true): GivenView => ({
  fieldId,
  isLive,
  typed: fieldId === null ? 'chess' : null,
  since: '2026-05-01T09:30:00Z',
})

const fields = [field('name', 'Mara'), field('phone', '+4670'), field('blood', 'A+'), field('empty', null)]
const clinic = connection('clinic', [asked('n', from('name')), asked('p', from('phone', false)), asked('x', null)])
const bank = connection('bank', [
  asked('full_name', from('name')),
  asked('code', from(null)),
  asked('gone', from('old')),
])
const values = seenValues(fields, [clinic, bank])

test('every value names everybody who can open it, those with most viewers first', () => {
  expect(values.map(({ label, viewers }) => [label, viewers.map(({ connection: { id } }) => id)])).toEqual([
    ['name', ['clinic', 'bank']],
    ['phone', ['clinic']],
    ['code', ['bank']],
    ['gone', ['bank']],
    ['blood', []],
  ])
  expect(values[1]?.viewers[0]?.isLive).toBe(false)
})

test('a company counts what it sees, also values that were typed for it alone', () => {
  expect([seenBy(values, 'clinic'), seenBy(values, 'bank'), seenBy(values, 'absent')]).toEqual([2, 3, 0])
})
