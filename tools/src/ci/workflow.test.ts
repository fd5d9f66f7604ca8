import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { asRecord } from '../boundaries/workspace.ts'
import { readOptions } from './options.ts'

const workflow: unknown = parse(readFileSync(join(import.meta.dirname, '../../../.github/workflows/ci.yml'), 'utf8'))
const jobs = Object.values(asRecord(asRecord(workflow)['jobs'])).map(asRecord)
const steps = jobs.flatMap(({ steps: list }) => (Array.isArray(list) ? list.map(asRecord) : []))

test('every action and every image is pinned by its hash', () => {
  const actions = steps.flatMap(({ uses }) => (typeof uses === 'string' ? [uses] : []))
  expect(actions).not.toEqual([])
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
  const images = jobs.map(({ container }) => String(asRecord(container)['image']))
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
})

test('the workflow may only read', () => {
  expect(asRecord(workflow)['permissions']).toEqual({ contents: 'read' })
})

test('it runs .ci/run with options that exist: every shard of the matrix, the merge and all lanes', () => {
  const calls = steps.flatMap(({ run }) => /^bash \.ci\/run (?<args>.*)$/.exec(String(run))?.groups?.['args'] ?? [])
  const shards: unknown = asRecord(asRecord(jobs[0]?.['strategy'])['matrix'])['shard']
  expect(shards).toEqual([1, 2])
  const options = calls.map((args) => readOptions(args.replace('${{ matrix.shard }}', '2').split(' ')))
  expect(options).toEqual([
    { isFull: false, shard: { index: 2, count: 2 }, merge: null },
    { isFull: false, shard: null, merge: '.ci-state/shards' },
    { isFull: true, shard: null, merge: null },
  ])
})
