import { bodyOf, openWorld, waitUntil } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openRuns } from './testing/runs.ts'

const DAY_MS = 86_400_000
const DEADLINE_MS = 15_000

const world = await openWorld({ own: true })

async function upkeep(): Promise<void> {
  for (const { run } of world.eu.modules.flows.chores ?? []) await run()
}

test('the data of runs goes with the level, on all sides; an upgrade in time keeps it', async () => {
  const runs = await openRuns(world)
  const { id } = await runs.begun()
  await bodyOf(runs.answer(id, { amount: '1' }, { next_node: 'tell' }))
  await waitUntil('it has arrived', DEADLINE_MS, async () => {
    return (await runs.readAs(runs.customer, id)).body['status'] === 'awaiting_customer'
  })
  const path = `/api/services/${runs.service.serviceId}/flows/${runs.flowId}/runs/${id}`
  const read = () => bodyOf(runs.service.portal('GET', path))
  await runs.service.company.setLevel('free')
  await runs.service.company.setLevel('pro')
  await world.passDays(8 * DAY_MS)
  await upkeep()
  expect(await read()).toMatchObject({ status: 'awaiting_customer', data_deleted_at: null })
  await runs.service.company.setLevel('free')
  await world.passDays(6 * DAY_MS)
  await upkeep()
  expect(await read()).toMatchObject({ status: 'awaiting_customer', data_deleted_at: null })
  await world.passDays(2 * DAY_MS)
  await upkeep()
  const gone = { status: 'cancelled', cancelled_by: 'system', answers: [], source_files: {}, tag_values: null }
  const after = await read()
  expect(after).toMatchObject({ ...gone, data_deleted_at: expect.any(String) })
  expect(after['participants']).toHaveLength(3)
  await waitUntil('it is gone there', DEADLINE_MS, async () => {
    return (await runs.readAs(runs.customer, id)).body['data_deleted_at'] !== null
  })
  expect((await runs.readAs(runs.customer, id)).body).toMatchObject(gone)
})
