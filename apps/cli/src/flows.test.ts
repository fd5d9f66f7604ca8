import type { FlowRun } from '@sealpost/sdk'
import { expect, test } from 'vitest'
import { conditionText } from './flows/condition-text.ts'
import { drawMermaid } from './flows/draw-mermaid.ts'
import { drawRun } from './flows/draw-run.ts'
import { openTerminal } from './testing.ts'

const AT = '2026-05-01T09:00:00.000+00:00'
const [RUN, FLOW, CONNECTION, COMPANY] = [1, 2, 3, 4].map((last) => `0196a8c4-5e6f-7a10-8b2c-3d4e5f60710${last}`) as [
  string,
  string,
  string,
  string,
]

function runWith(members: Partial<FlowRun> = {}): FlowRun {
  const field = (slug: string) => ({ kind: 'field', slug, field_type: 'text', label: slug, required: true })
  return {
    id: RUN,
    flow_id: FLOW,
    flow_version: 2,
    service_id: FLOW,
    status: 'awaiting_customer',
    current_node: 'tell',
    connection_id: CONNECTION,
    company_user_id: COMPANY,
    bindings: { us: COMPANY, customer: CONNECTION },
    participants: [
      { party_key: 'us', person_user_id: COMPANY, connection_id: null, documents: [] },
      { party_key: 'customer', person_user_id: CONNECTION, connection_id: CONNECTION, documents: [] },
    ],
    output_mode: 'data_only',
    parties: [
      { key: 'us', label: 'Northwind' },
      { key: 'customer', label: 'Tenant' },
    ],
    answers: [{ slug: 'amount', for_user_id: COMPANY, value: '{}' }],
    definition: {
      entry: 'ask',
      output_mode: 'data_only',
      parties: [
        { key: 'us', label: 'Northwind', type: 'owner' },
        { key: 'customer', label: 'Tenant', type: 'person' },
      ],
      nodes: [
        { key: 'end', party: 'us', title: 'Check "all"', elements: [] },
        { key: 'tell', party: 'customer', title: 'About you', elements: [field('nick')] },
        { key: 'ask', party: 'us', title: 'Deposit', elements: [{ kind: 'text', body: 'x' }, field('amount')] },
      ],
      edges: [
        { from: 'ask', to: 'tell', sort: 0, condition: null },
        { from: 'tell', to: 'end', sort: 0, condition: { field: 'amount', op: 'gt', value: 100 } },
      ],
      constants: [],
    },
    reference_date: '2026-05-01',
    private_slugs: ['amount'],
    owner_tag_values: null,
    tag_values: null,
    source_files: {},
    created_at: AT,
    updated_at: AT,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    data_deleted_at: null,
    ...members,
  }
}

test('a run is drawn with its state, the party whose turn it is, and its steps in the order of the flow', () => {
  expect(drawRun(runWith(), null)).toEqual([
    RUN,
    '  status   awaiting_customer',
    `  flow     ${FLOW}, version 2, data_only`,
    `  started  ${AT}`,
    `  changed  ${AT}`,
    '',
    'parties',
    '  us        Northwind  the company',
    `  customer  Tenant  connection ${CONNECTION}  <- its turn`,
    '',
    'steps',
    '  [x] ask   us: Deposit',
    '        amount (private): sealed',
    '        -> tell',
    '  [>] tell  customer: About you',
    '        nick',
    '        -> end if amount > 100',
    '        -> end otherwise',
    '  [ ] end   us: Check "all"',
    '        -> end',
  ])
})

test('opened answers, files and a cancel are shown', () => {
  const facts = { party: 'us', step: 'ask', label: 'Amount', options: null, type: 'text', isPrivate: true } as const
  const text = { kind: 'text', value: '250', text: '250', attestation: 'not_attested', problems: [] } as const
  const cancelled = runWith({ status: 'cancelled', cancelled_by: 'us', cancelled_at: AT, cancel_reason: 'no' })
  const lines = drawRun(cancelled, { amount: { ...facts, ...text } })
  expect(lines).toContain('        amount (private): 250')
  expect(lines).toContain(`  cancelled  by us, ${AT}: no`)
  expect(drawRun(runWith(), { amount: { ...facts, kind: 'file', isHeld: true, isLinked: false } })).toContain(
    '        amount (private): a file',
  )
})

test('a Mermaid diagram names no step by its key, and no label ends early', () => {
  expect(drawMermaid(runWith())).toEqual([
    'flowchart TD',
    '  s3["Deposit<br/>Northwind"]:::done',
    '  s2["About you<br/>Tenant"]:::current',
    '  s1["Check #quot;all#quot;<br/>Northwind"]:::open',
    '  ending(["completed"])',
    '  s3 --> s2',
    '  s2 -->|"amount #gt; 100"| s1',
    '  s2 -->|"otherwise"| ending',
    '  s1 --> ending',
    '  classDef done fill:#d5f0d5,stroke:#3a7d3a',
    '  classDef current fill:#fff3c4,stroke:#b8860b,stroke-width:3px',
    '  classDef open fill:#f5f5f5,stroke:#999',
  ])
  const over = runWith({ status: 'completed', current_node: 'tell' })
  expect(drawMermaid(over)).toContain('  s2["About you<br/>Tenant"]:::done')
})

const leaf = { field: 'a', op: 'eq', value: 'x' }

test.each<[condition: unknown, text: string]>([
  [null, 'always'],
  ['anything', 'always'],
  [leaf, 'a = x'],
  [{ field: 'a', op: 'in', value: ['x', 1] }, 'a is one of ["x",1]'],
  [{ field: 'a', op: 'answered' }, 'a is answered'],
  [{ field: 'a', op: 'empty' }, 'a is empty'],
  [{ field: 'a', op: 'resembles', value: 1 }, 'never'],
  [{ op: 'and', children: [leaf, { op: 'not', children: [leaf] }] }, '(a = x) and (not (a = x))'],
  [{ op: 'or', children: [leaf] }, 'a = x'],
  [{ op: 'and', children: [] }, 'always'],
  [{ op: 'or', children: [] }, 'never'],
  [{ op: 'not' }, 'never'],
])('the condition %j reads as it is evaluated', (condition, text) => {
  expect(conditionText(condition)).toBe(text)
})

test.each([
  [['run', FLOW], 'name the customers'],
  [['run', FLOW, '--target', 'customer'], '--target is PARTY=CONNECTION_ID, not customer'],
])('wrong usage is named: flows %s', async (words, message) => {
  using terminal = openTerminal({
    SEALPOST_FRONT_DOOR: 'http://127.0.0.1:1',
    SEALPOST_CLIENT_ID: 'svc_x',
    SEALPOST_CLIENT_SECRET: 'y',
  })
  expect(await terminal.run('flows', ...words)).toMatchObject({
    code: 2,
    out: '',
    logged: expect.stringContaining(message),
  })
})
