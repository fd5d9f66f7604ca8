import { instant } from '@sealpost/kernel'
import { createTestDatabase, holdTransaction, scaled, type TestDatabase } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { sqlMigration } from './migrations.ts'
import { createPartitions, emptyPartition, partitionOf, truncatePartition } from './partitions.ts'
import { runStatement, type Tx } from './scope.ts'

const NOW = instant(Date.UTC(2026, 4, 1))
const migrations = {
  '0001_note_create': sqlMigration(`
    create table note (partition int not null, at timestamptz not null) partition by list (partition);
    ${createPartitions('note')}
  `),
}
const repeated: string[] = []
let place: TestDatabase
let database: Database

beforeAll(async () => {
  place = await createTestDatabase({ template: 'partitions', migrations })
  const observer = { transactionRepeated: (reason: string) => void repeated.push(reason) }
  database = openDatabase({ url: place.url, poolSize: 4, observer })
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

const PARTITION = partitionOf(NOW)
const put = (at: number) => (tx: Tx) =>
  runStatement(tx, `insert into note values (${PARTITION}, to_timestamp($1 / 1000.0))`, [at])
const count = () => database.read((read) => runStatement(read, `select from note where partition = ${PARTITION}`, []))
const empty = () => database.transaction((tx) => emptyPartition(tx, 'note', PARTITION, NOW))

test('workers that empty a partition at the same time do not wait for each other', async () => {
  for (let day = 0; day < 5; day += 1) {
    await database.transaction(put(NOW - 1))
    await Promise.all([empty(), empty(), empty(), empty()])
    expect(await count()).toEqual([])
  }
  expect(repeated).toEqual([])
})

test("an operator's open read transaction makes no caller wait: the sweep gives up and succeeds later", async () => {
  await database.transaction(put(NOW - 1))
  const reading = await holdTransaction(database, (tx) => runStatement(tx, 'select count(*) from note', []))
  const startedAt = performance.now()
  const [isEmptied] = await Promise.all([empty(), database.transaction(put(NOW - 1))])
  const waitedMs = performance.now() - startedAt
  await reading.finish()
  expect([isEmptied, await empty(), await count()]).toEqual([false, true, []])
  expect(waitedMs).toBeLessThan(scaled(1_000))
})

test('a sweep that gave up leaves its transaction usable, with its own time limits', async () => {
  await database.transaction(put(NOW - 1))
  const reading = await holdTransaction(database, (tx) => runStatement(tx, 'select count(*) from note', []))
  const rest = await database.transaction(async (tx) => {
    expect(await emptyPartition(tx, 'note', PARTITION, NOW)).toBe(false)
    return runStatement<{ lock_timeout: string }>(tx, 'show lock_timeout', [])
  })
  await reading.finish()
  expect([rest, await empty()]).toEqual([[{ lock_timeout: '5s' }], true])
})

test('a partition with a younger row is left alone', async () => {
  await database.transaction(put(NOW - 1))
  await database.transaction(put(NOW))
  expect(await empty()).toBe(false)
  expect(await count()).toHaveLength(2)
})

test('a row inserted before the lock keeps its partition', async () => {
  const before = await count()
  let looks = 0
  const isEmptied = await database.transaction((tx) =>
    truncatePartition(tx, 'note', PARTITION, async () => {
      looks += 1
      return looks === 1
    }),
  )
  expect([isEmptied, looks]).toEqual([false, 2])
  expect(await count()).toHaveLength(before.length)
})
