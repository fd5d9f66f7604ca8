import { instant } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { PermanentJobFailure } from './contract.ts'
import { afterFailure, afterLapse, describeFailure } from './rules.ts'

const NOW = instant(1_000_000)
const patience = { maxAttempts: 4, backoff: { firstMs: 100, longestMs: 250 } }
const failed = new Error('no')

test('the wait doubles up to its limit, then the job is dead', () => {
  const after = [1, 2, 3, 4].map((attempts) => afterFailure(patience, attempts, failed, NOW))
  expect(after).toEqual([{ dueAt: NOW + 100 }, { dueAt: NOW + 200 }, { dueAt: NOW + 250 }, 'dead'])
})

test('a permanent failure is dead at once', () => {
  expect(afterFailure(patience, 1, new PermanentJobFailure('never'), NOW)).toBe('dead')
})

test('the first worker that dies costs no wait, those after it do, and the last attempt is the last', () => {
  const after = [1, 2, 3, 4].map((attempts) => afterLapse(patience, attempts, NOW))
  expect(after).toEqual([{ dueAt: NOW }, { dueAt: NOW + 100 }, { dueAt: NOW + 200 }, 'dead'])
})

test('very many attempts do not overflow the wait', () => {
  const endless = { maxAttempts: Infinity, backoff: patience.backoff }
  expect(afterFailure(endless, 100_000, failed, NOW)).toEqual({ dueAt: NOW + 250 })
})

test('a failure is described by name and message alone', () => {
  expect(describeFailure(new TypeError('x', { cause: 'a row' }))).toBe('TypeError: x')
  expect(describeFailure('text')).toBe('something that is not an Error was thrown')
})
