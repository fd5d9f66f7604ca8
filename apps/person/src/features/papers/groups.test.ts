import { expect, test } from 'vitest'
import type { PaperView } from '../../worker/commands/papers.ts'
import { groupOf, groupPapers } from './groups.ts'

test.each([
  ['ready_to_sign', true, 'waiting'],
  ['offering', true, 'waiting'],
  ['waiting', true, 'later'],
  ['active', true, 'inForce'],
  ['active_but_ending', true, 'inForce'],
  ['active', false, 'letters'],
  ['ended', true, 'ended'],
  ['ended', false, 'ended'],
] as const)('a paper that is %s (contract: %s) stands under %s', (status, isContract, group) => {
  expect(groupOf({ status, isContract })).toBe(group)
})

test('what waits for the person comes first, and the newest first within a group', () => {
  const paper = (id: string, status: PaperView['status'], updatedAt: string) =>
    ({ id, status, isContract: true, updatedAt }) as PaperView
  const groups = groupPapers([
    paper('old', 'active', '2026-01-01'),
    paper('new', 'active', '2026-02-01'),
    paper('offer', 'offering', '2025-01-01'),
  ])
  expect(groups.map(({ name, papers }) => [name, papers.map(({ id }) => id)])).toEqual([
    ['waiting', ['offer']],
    ['inForce', ['new', 'old']],
  ])
})
