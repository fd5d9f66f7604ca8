import { expect, test } from 'vitest'
import type { RunRow } from '../../worker/commands/flows.ts'
import type { PaperView } from '../../worker/commands/papers.ts'
import { homeActs, isComplete } from './acts.ts'

const paper = (id: string) => ({ id, connectionId: 'c' }) as PaperView
const run = (runId: string, state: RunRow['state']) => ({ runId, connectionId: 'c', state }) as RunRow
const sign = (paperId: string): RunRow['state'] => ({ kind: 'sign', paperId, name: 'Lease', act: 'sign' })
const NOTHING = { papers: [], threads: [], runs: [], connections: [], invitations: [] }

test('a paper of a form is one job, and other steps of forms are their own', () => {
  const acts = homeActs({
    ...NOTHING,
    papers: [paper('p')],
    runs: [run('signs', sign('p')), run('answers', { kind: 'your_turn' }), run('waits', { kind: 'completed' })],
  })
  expect(acts.map(({ kind, of }) => [kind, 'runId' in of ? of.runId : 'id' in of ? of.id : ''])).toEqual([
    ['paper', 'p'],
    ['form', 'answers'],
  ])
})

test('a signature whose paper could not be read is not lost', () => {
  const acts = homeActs({ ...NOTHING, papers: null, runs: [run('signs', sign('p'))] })
  expect(acts.map(({ kind }) => kind)).toEqual(['form'])
})

test('nothing else can wait only when everything was read', () => {
  expect([isComplete(NOTHING), isComplete({ ...NOTHING, threads: null })]).toEqual([true, false])
})
