import { bodyOf, openWorld, refused } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { handOver, openContracts, readPdf, textOf, VALUES } from './testing/contracts.ts'

const COUNT = 250
const LONG = 'é'.repeat(1_000_000)
const world = await openWorld()

const ref = (key: string) => ({ type: 'ref', key })
const wide = Array.from({ length: COUNT }, (_, place) => ({
  key: `wide_${place}`,
  label: '',
  result_type: 'text',
  shown_on: [],
  expr: place % 2 === 0 ? ref('reference') : { type: 'concat', parts: [ref('reference'), ref('nick')], sep: ' ' },
}))

for (const last of ['us', 'customer'] as const) {
  test(`values that make megabytes of every constant reach a document only as far as its tags name them: ${last} generates`, async () => {
    const contracts = await openContracts(world, {
      last,
      definition: (one) => ({ ...one, constants: [...one.constants, ...wide] }),
    })
    const id = await contracts.generating()
    // The annex names the long value itself; the amount decides that there is none.
    const values = { ...VALUES, amount: '1', reference: LONG }
    const { documents } = await bodyOf(contracts.generate(id, await handOver(values)))
    expect(documents).toHaveLength(3)
    expect(await textOf(await readPdf(contracts.customer, id, 'contract'))).toMatch(/Contract with Mara\s+Twice: 2/)
  })
}

test('texts that no page has room for are refused, and the run can still make its documents', async () => {
  const contracts = await openContracts(world, { last: 'us' })
  const id = await contracts.generating()
  const refusal = await contracts.generate(id, await handOver({ ...VALUES, nick: 'x'.repeat(1_100_000) }))
  expect(refusal).toMatchObject(refused(400, 'flows.generation_failed'))
  await bodyOf(contracts.generate(id, await handOver(VALUES)))
})
