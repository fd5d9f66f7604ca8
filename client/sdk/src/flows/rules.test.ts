import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { AccountKey } from '../keys/private-keys.ts'
import { buildAnswers, chooseNext, computeConstants, evaluateCondition, FlowError } from './index.ts'

const field = (slug: string) => ({ kind: 'field', slug, field_type: 'number', label: slug, required: true }) as const
const literal = { type: 'lit', value_type: 'number', value: 2 }
const over = { field: 'half', op: 'gt', value: 100 }
const run = {
  id: 'run-1',
  reference_date: '2026-11-01',
  definition: {
    entry: 'ask',
    output_mode: 'data_only',
    parties: [{ key: 'us', label: 'Us', type: 'owner' }],
    nodes: [
      { key: 'ask', party: 'us', title: 'Amount', elements: [field('amount')] },
      { key: 'prove', party: 'us', title: 'Proof', elements: [field('proof')] },
    ],
    edges: [{ from: 'ask', to: 'prove', sort: 0, condition: over }],
    constants: [
      {
        key: 'half',
        label: 'Half',
        result_type: 'number',
        expr: { type: 'math', op: 'div', args: [{ type: 'ref', key: 'amount' }, literal] },
        shown_on: [],
      },
    ],
  },
} as const

test('constants, conditions and the next step follow from the answers alone', () => {
  const large = computeConstants(run, new Map([['amount', '300']]))
  expect(large.get('half')).toBe(150)
  expect(evaluateCondition(over, large)).toBe(true)
  expect(chooseNext(run, 'ask', large)).toEqual({ kind: 'step', key: 'prove', title: 'Proof', party: 'us' })
  const small = computeConstants(run, new Map([['amount', '100']]))
  expect(evaluateCondition(over, small)).toBe(false)
  expect(chooseNext(run, 'ask', small)).toEqual({ kind: 'end' })
})

test('a definition that cannot be read is an error, not a choice', () => {
  expect(() => computeConstants({ ...run, definition: { ...run.definition, nodes: 7 } as never }, new Map())).toThrow(
    FlowError,
  )
})

test('answers are sealed once for each user', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const users = ['one', 'two'].map((userId) => ({ userId, publicKey: spki }))
  const [answer] = await buildAnswers([{ slug: 'amount', text: '300', private: true }], users)
  expect(answer).toMatchObject({ slug: 'amount', source_private: true })
  expect(answer?.values.map(({ for_user_id }) => for_user_id)).toEqual(['one', 'two'])
  const key = await AccountKey.fromPkcs8(privateKey.export({ type: 'pkcs8', format: 'der' }))
  for (const { value } of answer?.values ?? []) expect(await key.open(value)).toBe('300')
})
