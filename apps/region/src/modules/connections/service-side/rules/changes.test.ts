import { formatInstant, instant, type RequestFieldId } from '@sealpost/kernel'
import type { SlotChange } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import type { RequestRow } from '../../../services/index.ts'
import type { PresentSlot } from '../store/slots.ts'
import { judgeChange } from './changes.ts'

const id = '019a0000-0000-7000-8000-000000000001' as RequestFieldId
const at = formatInstant(instant(0))
const row = { id } as RequestRow

function set(cause: 'edit' | 'consent' | 'remap', rev = 2): SlotChange {
  const answer = { request_field_id: id, rev, live: true, is_private: true, value: '', file: null, attested: null, at }
  return { act: 'set', cause, answer }
}

const attest: SlotChange = { act: 'attest', request_field_id: id, rev: 2, attested: null, at }
const drop: SlotChange = { act: 'drop', request_field_id: id, rev: 2, at }
const decline: SlotChange = { act: 'decline', request_field_id: id, rev: 2, at }

function present(state: PresentSlot['state'], rev = 1): PresentSlot {
  return { requestFieldId: id, state, rev, objectKey: null }
}

test('a consent is told as one, every other value as an update', () => {
  expect(judgeChange(set('consent'), row, undefined)).toBe('consent_accepted')
  expect(judgeChange(set('edit'), row, present('answered'))).toBe('field_updated')
  expect(judgeChange(set('remap'), row, present('answered'))).toBe('field_updated')
})

test('a verification or a withdrawal needs a value that it is about', () => {
  expect(judgeChange(attest, row, present('answered'))).toBe('field_updated')
  expect(judgeChange(drop, row, present('answered'))).toBe('field_deleted')
  for (const slot of [undefined, present('declined')]) {
    expect(judgeChange(attest, row, slot)).toBeNull()
    expect(judgeChange(drop, row, slot)).toBeNull()
  }
})

test('a refusal stands whether something was there or not', () => {
  expect(judgeChange(decline, row, undefined)).toBe('consent_declined')
  expect(judgeChange(decline, row, present('answered'))).toBe('consent_declined')
})

test('what is not newer than what is known, or is about a row that was removed, comes to nothing', () => {
  for (const change of [set('edit'), attest, drop, decline]) {
    expect(judgeChange(change, row, present('answered', 2))).toBeNull()
    expect(judgeChange(change, row, present('answered', 3))).toBeNull()
    expect(judgeChange(change, undefined, present('answered'))).toBeNull()
  }
})
