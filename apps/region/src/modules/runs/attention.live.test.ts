import { bodyOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openContracts } from './testing/contracts.ts'
import { LINE, signersOf } from './testing/signers.ts'

const world = await openWorld()
const contracts = await openContracts(world)
const signers = await signersOf(contracts)
const { service } = contracts

async function waiting() {
  const { items } = await bodyOf(service.company.portal('GET', '/api/portal/attention'))
  return (items as readonly Record<string, unknown>[]).map(({ kind, ref }) => [kind, ref])
}

test('staff hear of a run while the company is next: to answer, then to sign its own copies', async () => {
  const begun = await contracts.begun()
  expect(await waiting()).toEqual([['run_awaits', begun.id]])
  await bodyOf(service.data('POST', `/api/company-data/flow-runs/${begun.id}/cancel`, { body: {} }))
  expect(await waiting()).toEqual([])
  const id = await contracts.signing()
  for (const [party, output, act] of LINE) {
    const own = party === 'us' ? await signers.readOwn(id, output) : null
    expect(await waiting()).toEqual(own === null ? [] : [['signature_awaits', own.document['id']]])
    await signers.step(id, party, output, act)
  }
  expect(await waiting()).toEqual([])
})
