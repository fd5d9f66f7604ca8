import { formatInstant, instant, type RequestFieldId } from '@sealpost/kernel'
import type { SlotChange } from '@sealpost/protocol'
import { expect, test } from 'vitest'
import type { RequestRow } from '../../../services/index.ts'
import type { PresentSlot } from '../model.ts'
import { eventKindOf } from './changes.ts'

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

test('a consent raises consent_accepted, every other set field_updated', () => {
  expect(eventKindOf(set('consent'), row, undefined)).toBe('consent_accepted')
  expect(eventKindOf(set('edit'), row, present('answered'))).toBe('field_updated')
  expect(eventKindOf(set('remap'), row, present('answered'))).toBe('field_updated')
})

test('an attestation or a withdrawal has no effect without a value', () => {
  expect(eventKindOf(attest, row, present('answered'))).toBe('field_updated')
  expect(eventKindOf(drop, row, present('answered'))).toBe('field_deleted')
  for (const slot of [undefined, present('declined')]) {
    expect(eventKindOf(attest, row, slot)).toBeNull()
    expect(eventKindOf(drop, row, slot)).toBeNull()
  }
})

test('a decline raises consent_declined with and without a value', () => {
  expect(eventKindOf(decline, row, undefined)).toBe('consent_declined')
  expect(eventKindOf(decline, row, present('answered'))).toBe('consent_declined')
})

test('a change that is not newer than the slot, or is for a removed row, has no effect', () => {
  for (const change of [set('edit'), attest, drop, decline]) {
    expect(eventKindOf(change, row, present('answered', 2))).toBeNull()
    expect(eventKindOf(change, row, present('answered', 3))).toBeNull()
    expect(eventKindOf(change, undefined, present('answered'))).toBeNull()
  }
})
