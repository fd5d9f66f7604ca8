import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { listRequestRows, type RequestRow } from '../../../services/index.ts'
import { deleteSlotsOfRows } from './service-hooks.ts'

const world = await openWorld()

test('a late deletion of a removed row is followed by the value of the row that has its slug now', async () => {
  const service = await world.service([
    { slug: 'contact', type: 'email' },
    { slug: 'earlier', type: 'email' },
  ])
  await world.customer(service, [
    { slug: 'contact', text: 'now@mara.example' },
    { slug: 'earlier', text: 'before@mara.example' },
  ])
  await service.events(1)
  const { companyId } = service.company
  const name = { companyId, serviceId: service.serviceId }
  const { connections } = world.eu.modules
  await world.eu.platform.database.transaction(async (tx) => {
    const rows = await listRequestRows(tx, companyId, name.serviceId)
    const removed = rows.flatMap((row): RequestRow[] => (row.slug === 'earlier' ? [{ ...row, slug: 'contact' }] : []))
    await deleteSlotsOfRows(connections.service, tx, name, removed, null, 500)
  })
  // The row that is removed here is published under another slug, which its event shows.
  const events = await service.drain()
  expect(events.map(({ event, slug }) => [event, slug])).toEqual([
    ['field_deleted', 'earlier'],
    ['field_updated', 'contact'],
  ])
  expect(await service.open(events[1]?.['value'])).toBe('now@mara.example')
})
