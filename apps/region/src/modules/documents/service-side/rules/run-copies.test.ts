import { instant } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import type { DocumentId, RunCopy, Signature } from '../model.ts'
import { actsOnOutput, completesOutput, ended, newStatus, nextInLine, opened, runDocuments } from './run-copies.ts'

const at = instant(Date.UTC(2026, 4, 1, 12))

function copy(id: string, outputKey: string, position: number | null, more: Partial<RunCopy> = {}): RunCopy {
  return {
    id: id as DocumentId,
    outputKey,
    partyKey: `party of ${id}`,
    position,
    name: outputKey,
    status: 'waiting',
    requiresSignature: true,
    requiresAcceptance: false,
    rev: 1,
    ...more,
  } as RunCopy
}

const line = [
  copy('a', 'one', 1, { status: 'ready_to_sign' }),
  copy('b', 'two', 2, { requiresSignature: false, requiresAcceptance: true }),
  copy('c', 'one', 3),
  copy('d', 'two', null, { status: 'active' }),
]
const [a, b, c, d] = line as [RunCopy, RunCopy, RunCopy, RunCopy]

describe('the copies of a run', () => {
  test('only the first step is open at the start; who only receives has an active copy [SIGN-02]', () => {
    expect(newStatus(1, 'sign')).toBe('ready_to_sign')
    expect(newStatus(1, 'accept')).toBe('offering')
    expect(newStatus(2, 'sign')).toBe('waiting')
    expect(newStatus(null, null)).toBe('active')
  })

  test('the next step of the line opens for its own act [SIGN-07]', () => {
    expect(nextInLine(line, a)).toBe(b)
    expect(nextInLine([{ ...a, status: 'active' }, { ...b, status: 'offering' }, c, d], b)).toBe(c)
    expect(nextInLine([{ ...a, status: 'active' }, { ...b, status: 'active' }, d], c)).toBeNull()
    expect(opened(b, at)).toMatchObject({ status: 'offering', rev: 2, updatedAt: at })
    expect(opened(c, at)).toMatchObject({ status: 'ready_to_sign' })
    expect(ended(c, at)).toMatchObject({ status: 'ended', cancelEffectiveDate: '2026-05-01', rev: 2 })
  })

  test('an output is complete with the last act on it, whatever other outputs wait for [SIGN-11]', () => {
    expect(completesOutput(line, a)).toBe(false)
    expect(completesOutput(line, b)).toBe(true)
    expect(completesOutput([{ ...a, status: 'active' }, b, c, d], c)).toBe(true)
  })

  test('acts are listed in the order of the line, each with its place', () => {
    const signatures = ['c', 'a', 'b'].map((id) => ({ documentId: id, action: 'signed', createdAt: at }) as Signature)
    expect(actsOnOutput(line, 'one', signatures).map(({ position }) => position)).toEqual([1, 3])
    expect(actsOnOutput(line, 'one', []).length).toBe(0)
    const [first, , , last] = runDocuments(line, signatures)
    expect(first).toEqual({
      output_key: 'one',
      name: 'one',
      party_key: 'party of a',
      document_id: 'a',
      position: 1,
      status: 'ready_to_sign',
      action: 'signed',
      acted_at: '2026-05-01T12:00:00.000+00:00',
      requires_signature: true,
      requires_acceptance: false,
    })
    expect(last).toMatchObject({ position: null, action: null, acted_at: null })
  })
})
