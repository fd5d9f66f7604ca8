import { keyOf, makeBucket, openWorld, photoEnvelope, readEngines, refused, type World } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { hideSuperseded, sweepGarbage } from '../modules/vault/index.ts'
import { diagnose } from './doctor/index.ts'
import { operate } from './operate/index.ts'
import { backUpTables } from './testing/table-backup.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** In the order in which rows can be put back. */
const TABLES = ['vault.garbage', 'vault.value', 'vault.photo', 'connections_service.slot']
const PUBLIC = { isPrivate: false, isClear: true }
const SECOND = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 2])

async function sweep(world: World, afterMs: number): Promise<void> {
  world.clock.advance(afterMs)
  await hideSuperseded(world.eu.modules.vault, 1000)
  await sweepGarbage(world.eu.modules.vault, 1000)
}

/** A person who shared a photo, then replaced it and deleted another one; then the database of before is back. */
async function openRestored(isVersioned: boolean) {
  const bucket = await makeBucket(readEngines().eu.s3, { isVersioned })
  const world = await openWorld({ settings: { S3_BUCKET: bucket.name } })
  const service = await world.service([{ slug: 'face', type: 'photo' }])
  const person = await world.person({ region: 'eu' })
  const field = await person.calls('POST', '/api/contact-fields', { body: { label: 'Old', type: 'photo' } })
  const oldPath = `/api/contact-data/${String(field.body['id'])}`
  const oldValue = { value: photoEnvelope(), is_private: false }
  expect((await person.calls('PUT', oldPath, { body: oldValue })).status).toBe(200)
  expect((await person.put('photo', photoEnvelope(), [], PUBLIC)).status).toBe(200)
  const decision = { slug: 'face', kind: 'linked', source: 'photo' } as const
  const connectionId = await person.connected(service, [decision])
  const slotPath = `/api/company-data/connections/${connectionId}/slots/${service.row('face')}/file`
  const before = await service.download(slotPath)
  await service.events(1)
  const backup = await backUpTables(world, TABLES)
  expect((await person.put('photo', photoEnvelope(SECOND), [], PUBLIC)).status).toBe(200)
  await service.events(1)
  expect((await person.calls('DELETE', oldPath)).status).toBe(204)
  await sweep(world, 11 * MINUTE_MS)
  await backup.putBack()
  const photoPath = `/api/contact-data/${person.field('photo')}/file`
  return { world, bucket, service, person, slotPath, before, photoPath, oldPath, oldId: String(field.body['id']) }
}

test('a database from a backup finds the files that were replaced since; deleted ones count as deleted', async () => {
  const { world, service, person, slotPath, before, photoPath, oldPath, oldId } = await openRestored(false)
  const photo = await person.calls('GET', photoPath)
  expect([photo.status, photo.body['value']]).toEqual([200, photoEnvelope()])
  const slot = await service.download(slotPath)
  expect([slot.status, slot.bytes]).toEqual([200, before.bytes])
  expect(await person.calls('GET', `${oldPath}/file`)).toMatchObject(refused(404, 'request.not_found'))
  const other = await world.service([{ slug: 'face', type: 'photo' }])
  const sharing = await person.connect(other, [{ slug: 'face', kind: 'linked', source_field_id: oldId }])
  expect([sharing.status, keyOf(sharing)]).toEqual([400, 'request.invalid'])
  const report = await diagnose(world.eu, ['objects'], () => Promise.resolve())
  expect(report).toContain('1 objects that rows refer to are missing')
  expect(report).toContain('2 objects in the bucket belong to no row')
})

test('operate objects:reconcile makes hidden files readable again and removes unknown ones after the backups', async () => {
  const { world, bucket, person, service, slotPath, before, photoPath } = await openRestored(true)
  expect((await person.calls('GET', photoPath)).status).toBe(404)
  expect(await operate(world.eu, ['objects:reconcile'])).toContain(
    '2 were hidden and are readable again, 1 are missing and count as deleted, 2 belong to no row',
  )
  expect((await person.calls('GET', photoPath)).body['value']).toBe(photoEnvelope())
  expect((await service.download(slotPath)).bytes).toEqual(before.bytes)
  const listed = await world.rows<{ key: string }>('select object_key as key from vault.garbage')
  expect(await operate(world.eu, ['objects:reconcile', 'discard-unknown'])).toContain(
    '2 belong to no row, to be removed',
  )
  const known = new Set(listed.map(({ key }) => key))
  const rows = await world.rows<{ key: string }>('select object_key as key from vault.garbage')
  const adopted = rows.filter(({ key }) => !known.has(key)).map(({ key }) => key)
  expect(adopted).toHaveLength(2)
  await sweep(world, 34 * DAY_MS)
  for (const key of adopted) expect(await bucket.versionsOf(key)).toBe(1)
  await sweep(world, 2 * DAY_MS)
  for (const key of adopted) expect(await bucket.versionsOf(key)).toBe(0)
  await expect(operate(world.eu, ['objects:reconcile', 'everything'])).rejects.toThrow('say nothing or discard-unknown')
})
