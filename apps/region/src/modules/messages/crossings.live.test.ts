import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { ownPath, sentPath, write, writeBack } from './testing/messages.ts'

const world = await openWorld()
const company = await world.company()
const person = await world.person({ region: 'us' })

type Meeting = readonly [string, (thread: Thread) => Promise<unknown>]
type Thread = Awaited<ReturnType<typeof openThread>>

async function openThread() {
  const service = await world.service([], { company })
  const id = await person.connected(service)
  await write(service, person, id, 'Before the end')
  return {
    service,
    id,
    statuses: async () => [
      (await service.data('GET', sentPath(id))).status,
      (await person.calls('GET', ownPath(id))).status,
    ],
    deleteByPerson: () => person.calls('DELETE', `/api/company-connections/${id}`),
    deleteByService: () => service.data('DELETE', `/api/company-data/connections/${id}`),
  }
}

const meetings: readonly Meeting[] = [
  ['its customer ends', ({ deleteByPerson }) => deleteByPerson()],
  ['its service ends', ({ deleteByService }) => deleteByService()],
]

test.each(meetings)('messages that meet a connection which %s leave no thread on either side', async (_name, end) => {
  for (const order of ['end first', 'end last'] as const) {
    const thread = await openThread()
    const { service, id } = thread
    const sending = () => [write(service, person, id, 'From the service'), writeBack(person, service, id, 'Back')]
    const acts = order === 'end first' ? [end(thread), ...sending()] : [...sending(), end(thread)]
    const outcomes = await Promise.allSettled(acts)
    expect(outcomes.at(order === 'end first' ? 0 : -1)).toMatchObject({ value: { status: 204 } })
    await expect.poll(thread.statuses).toEqual([403, 403])
    for (const [table, region] of [
      ['messages_service.message', 'eu'],
      ['messages_customer.message', 'us'],
    ] as const)
      await expect.poll(() => world.rows(`select 1 from ${table} where connection_id = $1`, [id], region)).toEqual([])
  }
})
