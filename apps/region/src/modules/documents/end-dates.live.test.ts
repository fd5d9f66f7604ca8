import { bodyOf, invalidAt, openWorld, refused } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { endDueDocuments } from './service-side/operations/tidy.ts'
import { type Body, copyPath, DOCUMENTS, sendTo } from './testing/documents.ts'

const DAY_MS = 24 * 3_600_000

const world = await openWorld()
const service = await world.service([])
const { person, connectionId } = await world.customer(service, [])

const day = (days: number) => world.time(days * DAY_MS).slice(0, 10)
const put = (id: string, body: Body) => service.data('PUT', `${DOCUMENTS}/${id}`, { body })
const change = (id: string, body: Body) => bodyOf(put(id, body))
const endOn = (date: string) => ({ status: 'active_but_ending', cancel_effective_date: date })
const kinds = async (id: string) =>
  (await service.drain()).filter((event) => event['document_id'] === id).map(({ event }) => event)

/** An agreement that the customer has, and may cancel with 20 days of notice. */
async function agreed(members: Body = {}) {
  const metadata = { can_be_cancelled_in_app: true, cancel_notice_days: 20 }
  const { id } = await sendTo(service, person, connectionId, { requires_signature: false, metadata, ...members })
  const path = copyPath(connectionId, id)
  await expect.poll(async () => (await person.calls('GET', path)).status).toBe(200)
  await service.drain()
  return { id, path }
}

async function cancelled(members: Body = {}) {
  const { id, path } = await agreed(members)
  await bodyOf(person.calls('POST', `${path}/cancel`))
  await service.drain()
  return { id, path }
}

/** The daily job, so many days from now. */
async function endAfter(days: number): Promise<void> {
  const now = () => (world.clock.now() + days * DAY_MS) as ReturnType<typeof world.clock.now>
  await endDueDocuments({ ...world.eu.modules.documents.service, clock: { now } })
}

describe('the end that the company has set', () => {
  test('comes as an edit, and never as a cancellation of the customer [DOC-20] [EVENT-31]', async () => {
    const { id, path } = await agreed()
    expect(await change(id, endOn(day(3)))).toMatchObject(endOn(day(3)))
    await endAfter(2)
    expect(await kinds(id)).toEqual(['document_updated'])
    await endAfter(3)
    expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))).toMatchObject({ ...endOn(day(3)), status: 'ended' })
    expect(await kinds(id)).toEqual(['document_updated'])
    await expect.poll(async () => (await person.calls('GET', path)).body['status']).toBe('ended')
  })

  test('is moved by another date, with the status or alone; the same one changes nothing', async () => {
    const { id, path } = await agreed()
    await change(id, endOn(day(3)))
    await service.drain()
    expect(await change(id, endOn(day(9)))).toMatchObject(endOn(day(9)))
    expect(await change(id, { cancel_effective_date: day(5) })).toMatchObject(endOn(day(5)))
    expect(await kinds(id)).toEqual(['document_updated', 'document_updated'])
    await change(id, endOn(day(5)))
    await change(id, { status: 'active_but_ending' })
    expect(await kinds(id)).toEqual([])
    for (const date of [day(0), day(-1)])
      expect(await put(id, endOn(date))).toMatchObject(invalidAt('/body/cancel_effective_date'))
    await expect.poll(async () => (await person.calls('GET', path)).body['cancel_effective_date']).toBe(day(5))
    expect(await change(id, { status: 'active' })).toMatchObject({ status: 'active', cancel_effective_date: null })
  })

  test('follows from the notice where no date is given', async () => {
    const { id } = await agreed()
    expect(await change(id, { status: 'active_but_ending' })).toMatchObject(endOn(day(20)))
    const other = await agreed({ metadata: { cancel_notice_days: 0 } })
    const ending = { status: 'active_but_ending' }
    expect(await put(other.id, ending)).toMatchObject(invalidAt('/body/cancel_effective_date'))
    expect(await change(other.id, { ...ending, metadata: { cancel_notice_days: 1 } })).toMatchObject(endOn(day(1)))
  })
})

describe('the cancellation of the customer', () => {
  test('cannot be put off or undone by the company, and comes as what it is [DOC-17]', async () => {
    const { id } = await cancelled()
    for (const body of [endOn(day(21)), { status: 'active' }])
      expect(await put(id, body)).toMatchObject(refused(409, 'documents.status_invalid'))
    await change(id, { ...endOn(day(20)), name: 'Renamed' })
    expect(await kinds(id)).toEqual(['document_updated'])
    await endAfter(20)
    expect(await kinds(id)).toEqual(['document_status_changed'])
  })

  test('is brought forward by the company, whose end it is then; the date stays the latest', async () => {
    const { id } = await cancelled()
    expect(await change(id, endOn(day(4)))).toMatchObject(endOn(day(4)))
    for (const body of [endOn(day(21)), { status: 'active' }])
      expect(await put(id, body)).toMatchObject(refused(409, 'documents.status_invalid'))
    await endAfter(4)
    expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))).toMatchObject({ ...endOn(day(4)), status: 'ended' })
    expect(await kinds(id)).toEqual(['document_updated', 'document_updated'])
  })

  test.each(['document', 'agreement', 'subscription'])(
    'is possible for each kind where the company allows it: %s',
    async (kind) => {
      const { id } = await cancelled({ kind })
      expect(await bodyOf(service.data('GET', `${DOCUMENTS}/${id}`))).toMatchObject(endOn(day(20)))
    },
  )
})
