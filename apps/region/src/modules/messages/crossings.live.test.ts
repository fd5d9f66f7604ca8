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
  const first = await write(service, person, id, 'Before the end')
  return {
    service,
    id,
    /** Of an acknowledgement, which only an open thread takes. */
    statuses: async () => {
      const body = { message_id: first }
      return [
        (await service.data('POST', `${sentPath(id)}/read`, { body })).status,
        (await person.calls('POST', `${ownPath(id)}/read`, { body })).status,
      ]
    },
    unread: async () => {
      const pages = [await service.data('GET', sentPath(id)), await person.calls('GET', ownPath(id))]
      return pages.map(({ status, body: { items, total, unread_count: unread } }) => {
        return { status, unread, isCounted: Array.isArray(items) && items.length === total }
      })
    },
    deleteByPerson: () => person.calls('DELETE', `/api/company-connections/${id}`),
    deleteByService: () => service.data('DELETE', `/api/company-data/connections/${id}`),
  }
}

const meetings: readonly Meeting[] = [
  ['its customer ends', ({ deleteByPerson }) => deleteByPerson()],
  ['its service ends', ({ deleteByService }) => deleteByService()],
]

test.each(meetings)(
  'messages that meet a connection which %s leave no open thread on either side',
  async (_name, end) => {
    for (const order of ['end first', 'end last'] as const) {
      const thread = await openThread()
      const { service, id } = thread
      const sending = () => [write(service, person, id, 'From the service'), writeBack(person, service, id, 'Back')]
      const acts = order === 'end first' ? [end(thread), ...sending()] : [...sending(), end(thread)]
      const outcomes = await Promise.allSettled(acts)
      expect(outcomes.at(order === 'end first' ? 0 : -1)).toMatchObject({ value: { status: 204 } })
      await expect.poll(thread.statuses).toEqual([403, 403])
      const closed = { status: 200, unread: 0, isCounted: true }
      expect(await thread.unread()).toEqual([closed, closed])
    }
  },
)
