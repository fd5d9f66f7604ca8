import { expect, test } from 'vitest'
import type { FieldView, ValueView } from '../../worker/commands/data.ts'
import { verifiable } from './verifiable.ts'

const MINE = 'mara@example.com'
const AT = '2026-03-09T10:00:00Z'
const value = (more: Partial<ValueView> = {}): ValueView => ({
  text: MINE,
  isPrivate: true,
  updatedAt: AT,
  verifiedAt: null,
  isOpened: true,
  ...more,
})
const of = (provenBy: FieldView['provenBy'], held: ValueView | null) =>
  verifiable({ provenBy, value: held } as FieldView, MINE)

test.each([
  ['an empty field', of('email', null), { kind: 'never' }],
  ['a value that this device cannot open', of('email', value({ isOpened: false })), { kind: 'never' }],
  ['a date', of(null, value()), { kind: 'never' }],
  ['what was verified', of(null, value({ verifiedAt: AT })), { kind: 'verified', at: AT }],
  ['the address of the account', of('email', value()), { kind: 'open', by: 'email' }],
  ['another address', of('email', value({ text: 'm@other.example' })), { kind: 'other_address' }],
  ['a phone', of('sms', value({ text: '+46701234567' })), { kind: 'open', by: 'sms' }],
])('%s', (_what, found, expected) => {
  expect(found).toEqual(expected)
})
