import { AccountKey, CustomerClient, memoryPins } from '@sealpost/sdk'
import { flowAuthor, openWorld, scaled } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openServiceTerminal } from './testing/service-terminal.ts'

const SOON = { timeout: scaled(20_000) }
const world = await openWorld()
const service = await world.service([])
const ana = await world.person()
const anaKey = await AccountKey.fromPkcs8(ana.keys.privateKey.reveal())
const app = new CustomerClient({ accessToken: () => Promise.resolve(ana), key: anaKey, pins: memoryPins() })
const { id: connectionId } = await app.connect(service.code, {})
const { flowId } = await flowAuthor(service).published({
  entry: 'ask',
  output_mode: 'data_only',
  parties: [
    { key: 'us', label: 'Northwind', type: 'owner' },
    { key: 'tenant', label: 'Tenant', type: 'person' },
  ],
  nodes: [
    { key: 'ask', party: 'us', title: 'Deposit', elements: [field('amount', 'number')] },
    { key: 'tell', party: 'tenant', title: 'About you', elements: [field('nick', 'text')] },
  ],
  edges: [{ from: 'ask', to: 'tell', sort: 0, condition: null }],
  constants: [],
})

function field(slug: string, field_type: string) {
  return { kind: 'field', slug, field_type, label: slug, required: true }
}

const { client, key, flows } = await openServiceTerminal(world, service)

test('a run is started, listed and drawn turn by turn, answers opened on demand', async () => {
  const { code, out: id, logged } = await flows('run', flowId, '--target', `tenant=${connectionId}`)
  expect({ code, logged }).toEqual({ code: 0, logged: '' })
  expect((await flows('list', '--ours')).out).toMatch(new RegExp(`^ID.+\n${id}  awaiting_us  ask   20.+${flowId} v1$`))
  await client.flows.answer(id, { amount: { value: 250 } }, key)
  expect((await flows('list', '--ours')).out).toBe('')
  expect((await flows('list', '--status', 'completed,awaiting_tenant')).out).toContain(id)

  const shown = await flows('show', id)
  expect(shown.out).toMatch(/^ {2}status +awaiting_tenant$/m)
  expect(shown.out).toMatch(/^ {2}tenant +Tenant {2}connection .+ {2}<- its turn$/m)
  expect(shown.out).toContain('  [x] ask   us: Deposit\n        amount: sealed\n        -> tell\n  [>] tell')
  expect((await flows('show', id, '--decrypt')).out).toContain('        amount: 250\n')
  const { opened, ...run } = JSON.parse((await flows('show', id, '--decrypt', '--json')).out)
  expect([run.status, opened.amount.value]).toEqual(['awaiting_tenant', 250])
  const diagram = await flows('show', id, '--mermaid')
  expect(diagram.out).toMatch(/^flowchart TD\n {2}s1\["Deposit<br\/>Northwind"\]:::done\n {2}s2\[.+\]:::current\n/)
  expect(await flows('show', id, '--mermaid', '--decrypt')).toMatchObject({ code: 2 })
})

test('a wait prints the states until the end, and fails for a cancelled run', async () => {
  const waiting = flows('run', flowId, '--connection', connectionId, '--wait')
  const open = async () => (await app.flows.list(connectionId)).find(({ status }) => status === 'awaiting_us')
  await expect.poll(open, SOON).toBeDefined()
  const run = await open()
  if (run === undefined) throw new Error('no run')
  await app.flows.cancel(run, 'no')
  const { code, out, logged } = await waiting
  expect([code, logged]).toEqual([1, 'sealpost: the run was cancelled by tenant'])
  expect(out.split('\n').map((line) => line.split('  ').slice(1))).toEqual([
    [],
    ['awaiting_us', 'ask'],
    ['cancelled', 'ask'],
  ])
})
