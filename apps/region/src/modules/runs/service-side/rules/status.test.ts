import type { UserId } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import type { BoundCustomer, StoredRun } from '../model.ts'
import { requireTurn } from './status.ts'

const them = 'person' as UserId
const run = {
  status: 'awaiting_them',
  parties: [
    { partyKey: 'us', userId: 'company' as UserId, customer: null },
    { partyKey: 'them', userId: them, customer: { isErased: false } as BoundCustomer },
  ],
} as unknown as StoredRun

const verdict = (status: string, userId = them) => {
  const turn = requireTurn({ ...run, status }, { userId })
  return turn.ok ? turn.value.partyKey : turn.refusal
}

test('the awaited party takes its turn, any other one waits', () => {
  expect(verdict('awaiting_them')).toBe('them')
  expect(verdict('awaiting_us')).toBe('flows.not_your_turn')
})

test('a run that waits for no turn takes none [TURN-11]', () => {
  for (const status of ['generating', 'awaiting_signature', 'completed', 'cancelled'])
    expect(verdict(status)).toBe('flows.run_not_awaiting')
})
