import { bodyOf, waitUntil } from '@sealpost/testkit'
import type { Counts } from './counts.ts'
import { type Json, mustSucceed } from './doors/door.ts'
import { inProcessDoor } from './doors/in-process.ts'
import { Mismatch } from './mismatch.ts'
import type { Lane, Site } from './site.ts'

const ARRIVAL_MS = 20_000
const FLOW = {
  entry: 'ask',
  output_mode: 'data_only',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'customer', label: 'Customer', type: 'person' },
  ],
  nodes: [{ key: 'ask', party: 'us', title: 'Ask', elements: [] }],
  edges: [],
  constants: [],
}

/** The account of a customer is deleted: its runs are cancelled, stay readable, and take no write. */
export async function checkErased({ world }: Site, { service }: Lane, counts: Counts): Promise<void> {
  const door = inProcessDoor(world)
  const owner = door.owner(service)
  const { person, connectionId } = await world.customer(service)
  const flowId = await door.publish(service, FLOW)
  const target = { connection_id: connectionId }
  const run = mustSucceed(await door.start(service, flowId, { target }))
  const id = String(run['id'])
  await waitUntil('the run has arrived', ARRIVAL_MS, async () => {
    const path = `/api/company-connections/${connectionId}/flow-runs/${id}`
    return (await person.calls('GET', path)).status === 200
  })
  await person.erase()
  const read = async (): Promise<Json> => bodyOf(service.data('GET', `/api/company-data/flow-runs/${id}`))
  await waitUntil('the run is cancelled', ARRIVAL_MS, async () => (await read())['status'] === 'cancelled')
  const before = JSON.stringify(await read())
  const key = 'account.counterparty_deleted'
  const file = { slug: 'any', for_user_id: String(run['company_user_id']), value: 'x' }
  for (const act of [
    () => owner.answer(id, { answers: [], leaf: true }),
    () => owner.upload(id, file),
    () => owner.cancel(id, null),
    () => door.start(service, flowId, { target }),
  ]) {
    const outcome = await act()
    if (outcome.ok || outcome.key !== key)
      throw new Mismatch(`a write with a deleted customer: ${JSON.stringify(outcome)}`)
    counts.add(`refused ${key}`)
  }
  if (JSON.stringify(await read()) !== before) throw new Mismatch('a refused write has changed a run')
  await service.drain()
}
