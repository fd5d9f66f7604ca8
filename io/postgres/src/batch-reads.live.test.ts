import { type PrivatePostgres, startPrivatePostgres } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { batchReads } from './batch-reads.ts'
import { type Database, openDatabase } from './database.ts'
import { type Read, runStatement } from './scope.ts'

let server: PrivatePostgres
let database: Database
/** The keys of each statement, in the order in which they began. */
let statements: (readonly number[])[] = []

beforeAll(async () => {
  server = await startPrivatePostgres()
  database = openDatabase({ url: server.url })
  await write('create table note (id int primary key, text text not null)')
})
afterAll(async () => {
  await database.close()
  await server.remove()
})
beforeEach(async () => {
  statements = []
  await write('truncate note')
})

test('a lone read is sent at once; reads that arrive meanwhile are sent together', async () => {
  await write(`insert into note select n, 'note ' || n from generate_series(1, 100) n`)
  const find = batchReads(database, findNotes)
  const held = holdFirst()
  const first = find(1)
  await held.begun
  const others = Promise.all([2, 3, 999, 2].map(find))
  held.release()
  expect(await first).toBe('note 1')
  expect(await others).toEqual(['note 2', 'note 3', null, 'note 2'])
  expect(statements).toEqual([[1], [2, 3, 999, 2]])
})

test('a statement takes some dozens at most', async () => {
  const find = batchReads(database, findNotes)
  await Promise.all(Array.from({ length: 100 }, (_, id) => find(id)))
  expect(statements.map((keys) => keys.length)).toEqual([32, 32, 32, 4])
})

test('a read sees everything committed before it was requested, whatever statement is running', async () => {
  const find = batchReads(database, findNotes)
  const held = holdFirst()
  const early = find(1)
  await held.begun
  await write(`insert into note values (1, 'new')`)
  const late = find(1)
  held.release()
  expect(await early).toBe(null)
  expect(await late).toBe('new')
})

test('a slow statement does not delay later reads', async () => {
  await write(`insert into note values (2, 'two')`)
  const find = batchReads(database, findNotes)
  const held = holdFirst()
  const first = find(1)
  await held.begun
  expect(await find(2)).toBe('two')
  held.release()
  expect(await first).toBe(null)
})

test('a failing statement fails only the reads in it', async () => {
  const find = batchReads(database, (read: Read, keys: readonly number[]) =>
    keys.includes(13) ? runStatement(read, 'select 1 / 0', []).then(() => []) : findNotes(read, keys),
  )
  const outcomes = await Promise.allSettled([13, 1].map(find))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await find(1)).toBe(null)
})

let hold: { begin: () => void; readonly released: Promise<void> } | null = null

/** The next statement has read before `begun` resolves, and ends only after `release` was called. */
function holdFirst(): { readonly begun: Promise<void>; release(): void } {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  hold = { begin: begun.resolve, released: released.promise }
  return { begun: begun.promise, release: released.resolve }
}

async function findNotes(read: Read, ids: readonly number[]): Promise<readonly (string | null)[]> {
  statements.push(ids)
  const holding = hold
  hold = null
  const rows = await runStatement<{ id: number; text: string }>(read, 'select id, text from note where id = any($1)', [
    ids,
  ])
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  holding?.begin()
  await holding?.released
  return ids.map((id) => texts.get(id) ?? null)
}

async function write(sql: string): Promise<void> {
  await database.transaction((tx) => runStatement(tx, sql, []))
}
