import { type PrivatePostgres, startPrivatePostgres } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { joinMigrations, migrate, migrateAndReport, sqlMigration } from './migrations.ts'
import { requireSteps } from './schema.ts'
import { runStatement } from './scope.ts'

let server: PrivatePostgres

beforeAll(async () => {
  server = await startPrivatePostgres()
})
afterAll(() => server.remove())

const notes = { '0001_notes_create': sqlMigration('create table note (id int); insert into note values (1)') }
const tags = { '0002_tags_create': sqlMigration('create table tag (id int)') }

test('of many processes that migrate at once, one applies each step and the others find it done', async () => {
  const all = joinMigrations(notes, tags)
  const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(server.url, all)))
  expect(applied.flat().toSorted()).toEqual(['0001_notes_create', '0002_tags_create'])

  const database = openDatabase({ url: server.url })
  const rows = await database.read((read) => runStatement(read, 'select id from note', []))
  await database.close()
  expect(rows).toEqual([{ id: 1 }])
})

test('a step that fails leaves nothing behind, and its error comes out', async () => {
  const broken = { '0003_broken': sqlMigration('create table half (id int); select 1 / 0') }
  await expect(migrate(server.url, joinMigrations(notes, tags, broken))).rejects.toThrow('division by zero')

  const database = openDatabase({ url: server.url })
  const rows = await database.read((read) => runStatement(read, `select to_regclass('half') as half`, []))
  await database.close()
  expect(rows).toEqual([{ half: null }])
})

test('migrate of an older release says that the database is of a newer one', async () => {
  await migrate(server.url, joinMigrations(notes, tags))
  expect(await migrateAndReport(server.url, joinMigrations(notes, tags))).toBe('the database is up to date')
  expect(await migrateAndReport(server.url, notes)).toContain(
    'the database is of a newer release, which has applied 0002',
  )
})

test('a database that lacks a step of this release is refused with what to run; one of a newer release is not', async () => {
  const later = { '0003_later': sqlMigration('create table later (id int)') }
  const database = openDatabase({ url: server.url })
  await migrate(server.url, joinMigrations(notes, tags))
  await expect(requireSteps(database, joinMigrations(notes, tags, later), 'region')).rejects.toThrow(
    'its database lacks the step 0003_later of this release; run `node apps/region/src/commands/migrate.ts` first',
  )
  await expect(requireSteps(database, notes, 'region')).resolves.toBeUndefined()
  await database.transaction((tx) => runStatement(tx, 'alter table public.migration rename to elsewhere', []))
  await expect(requireSteps(database, notes, 'region')).rejects.toThrow('lacks the step 0001_notes_create')
  await database.transaction((tx) => runStatement(tx, 'alter table public.elsewhere rename to migration', []))
  await database.close()
})

test('two steps of one name are refused', () => {
  expect(() => joinMigrations(notes, notes)).toThrow('two migrations are called 0001_notes_create')
})
