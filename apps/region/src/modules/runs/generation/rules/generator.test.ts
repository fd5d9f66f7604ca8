import type { UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { Actor, BoundCustomer, StoredRun } from '../../service-side/model.ts'
import { requireGenerator } from './generator.ts'

const user = (id: string) => id as UserId
const customer = { region: 'us', isErased: false } as BoundCustomer
const run = {
  status: 'generating',
  outputMode: 'document',
  currentNode: 'end',
  parties: [
    { partyKey: 'us', userId: user('company'), customer: null },
    { partyKey: 'them', userId: user('person'), customer },
  ],
} as unknown as StoredRun
const definition = { nodes: [{ key: 'end', party: 'them' }] } as never
const them: Actor = { userId: user('person'), region: 'us' }
const us: Actor = { userId: user('company'), region: null }

const verdict = (more: Partial<StoredRun>, actor = them) => {
  const result = requireGenerator({ ...run, ...more }, actor, definition)
  return result.ok ? result.value : result.refusal
}

test('the party of the last step generates, and may ask for the documents again', () => {
  expect(verdict({})).toBe('now')
  expect(verdict({ status: 'awaiting_signature' })).toBe('done')
  expect(verdict({ status: 'completed' })).toBe('done')
})

test('any other party waits for it [GEN-01]', () => {
  expect(verdict({}, us)).toBe('flows.not_your_turn')
  expect(verdict({ status: 'completed' }, us)).toBe('flows.not_your_turn')
})

test('a region acts for its own customers only, and a stranger finds no run', () => {
  expect(verdict({}, { ...them, region: 'eu' })).toBe('flows.run_not_found')
  expect(verdict({}, { userId: user('stranger'), region: null })).toBe('flows.run_not_found')
})

test('documents are made at a document leaf, in no other state [GEN-09]', () => {
  for (const status of ['awaiting_them', 'awaiting_us', 'cancelled'])
    expect(verdict({ status })).toBe('flows.not_generatable')
  expect(verdict({ status: 'completed', outputMode: 'data_only' })).toBe('flows.not_generatable')
  const parties = run.parties.map((party) => ({ ...party, customer: { ...customer, isErased: true } }))
  expect(verdict({ parties })).toBe('account.counterparty_deleted')
})
