import { instant } from '@sealpost/kernel'
import { createTestDatabase, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { sqlMigration } from './migrations.ts'
import { runStatement, type Tx } from './scope.ts'
import { createShelves, sweepShelf } from './shelves.ts'

const NOW = instant(Date.UTC(2026, 4, 1))
const migrations = {
  '0001_note_create': sqlMigration(`
    create table note (shelf int not null, at timestamptz not null) partition by list (shelf);
    ${createShelves('note')}
  `),
}
const repeated: string[] = []
let place: TestDatabase
let database: Database

beforeAll(async () => {
  place = await createTestDatabase({ template: 'shelves', migrations })
  const observer = { transactionRepeated: (reason: string) => void repeated.push(reason) }
  database = openDatabase({ url: place.url, poolSize: 4, observer })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const put = (at: number) => (tx: Tx) => runStatement(tx, 'insert into note values (3, to_timestamp($1 / 1000.0))', [at])
const count = () => database.read((read) => runStatement(read, 'select from note where shelf = 3', []))
const sweep = () => database.transaction((tx) => sweepShelf(tx, 'note', 3, NOW))

test('workers who sweep a shelf at the same time do not wait for each other', async () => {
  for (let day = 0; day < 5; day += 1) {
    await database.transaction(put(NOW - 1))
    await Promise.all([sweep(), sweep(), sweep(), sweep()])
    expect(await count()).toEqual([])
  }
  expect(repeated).toEqual([])
})

test('a shelf with anything younger is left alone', async () => {
  await database.transaction(put(NOW - 1))
  await database.transaction(put(NOW))
  await sweep()
  expect(await count()).toHaveLength(2)
})
