import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { observe, tableFor } from './testing/check.ts'
import { endingsAtOnce, stageFor } from './testing/endings.ts'

const world = await openWorld()
const open = stageFor(world, { company: 'eu', customer: 'us', customerType: 'person' })

test.each(endingsAtOnce)('a person abroad and the company have what the table says: %s', async (ending) => {
  const stage = await open(ending)
  expect(await observe(stage, ending)).toEqual(tableFor(stage, ending))
})
