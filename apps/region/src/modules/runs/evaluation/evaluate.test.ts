import { buildRegistry, seedRows } from '@sealpost/field-types'
import { parseDefinition } from '@sealpost/flow'
import { quietTelemetry } from '@sealpost/telemetry'
import { scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { evaluate, type EvaluationTask } from './evaluate.ts'
import { openEvaluation } from './open-evaluation.ts'

const MEGABYTE = 1_000_000
const types = buildRegistry(seedRows)
const ref = (key: string) => ({ type: 'ref', key })
const constant = (key: string, result_type: string, expr: object) => ({
  key,
  label: '',
  result_type,
  shown_on: [],
  expr,
})
const double = { type: 'math', op: 'mul', args: [ref('amount'), { type: 'lit', value_type: 'number', value: 2 }] }
const output = (assetKey: string, condition: object | null) => ({
  output_key: assetKey,
  name: assetKey,
  rules: [{ asset_key: assetKey, condition, languages: 'all' }],
})

const parsed = parseDefinition({
  entry: 'end',
  output_mode: 'document',
  parties: [{ key: 'us', label: 'Us', type: 'owner' }],
  nodes: [
    {
      key: 'end',
      party: 'us',
      title: 'Contract',
      language_party: 'us',
      elements: [
        { kind: 'field', slug: 'amount', field_type: 'number', label: 'Amount' },
        { kind: 'field', slug: 'nick', field_type: 'text', label: 'Nick' },
        { kind: 'field', slug: 'reference', field_type: 'text', label: 'Reference' },
      ],
      outputs: [output('main', null), output('annex', { field: 'twice', op: 'gt', value: 10 })],
    },
  ],
  edges: [],
  constants: [
    constant('twice', 'number', double),
    ...Array.from({ length: 400 }, (_, place) => constant(`wide_${place}`, 'text', ref('nick'))),
  ],
})
if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
const definition = parsed.value

function taskOf(answers: object | string, tags: Readonly<Record<string, readonly string[]>>): EvaluationTask {
  return {
    definition,
    leafKey: 'end',
    answers: typeof answers === 'string' ? answers : JSON.stringify(answers),
    referenceDate: '2026-05-01',
    language: 'en',
    held: [],
    types,
    tags: new Map(Object.entries(tags)),
  }
}

function textsOf(task: EvaluationTask) {
  const texts = [...(evaluate(task)?.texts ?? [])]
  return Object.fromEntries(texts.map(([file, own]) => [file, own === null ? null : Object.fromEntries(own)]))
}

test('a file gets the texts that its tags name and no others, and a file of no output none', () => {
  const tags = { main: ['nick', 'twice', 'other'], annex: ['reference'] }
  const answers = { amount: '4', nick: 'Mara', reference: 'R-7' }
  expect(textsOf(taskOf(answers, tags))).toEqual({ main: { nick: 'Mara', twice: '8' } })
  const both = textsOf(taskOf({ ...answers, amount: '21' }, tags))
  expect(both).toEqual({ main: { nick: 'Mara', twice: '42' }, annex: { reference: 'R-7' } })
})

test('texts that are too long together for one file are none', () => {
  const answers = { amount: '4', nick: 'é'.repeat(MEGABYTE) }
  expect(textsOf(taskOf(answers, { main: ['nick'] }))['main']).toMatchObject({ nick: answers.nick })
  expect(textsOf(taskOf(answers, { main: ['nick', 'wide_1'] }))).toEqual({ main: null })
})

test('answers that are no JSON map are no answers', () => {
  for (const answers of ['', 'x', '[]', '"a"', 'null']) expect(evaluate(taskOf(answers, {}))).toBeNull()
})

test('a thread evaluates 400 megabytes of constants and hands out one text; the main thread only copies', async () => {
  const task = taskOf({ amount: '4', nick: 'é'.repeat(MEGABYTE) }, { main: ['twice'] })
  const inThread = openEvaluation(quietTelemetry())
  const before = process.threadCpuUsage()
  const outcome = await inThread('ana', task)
  const { user, system } = process.threadCpuUsage(before)
  expect(outcome).toMatchObject({ ok: true, value: { texts: new Map([['main', new Map([['twice', '8']])]]) } })
  expect((user + system) / 1000).toBeLessThan(scaled(150))
})
