import { expect, expectTypeOf, test } from 'vitest'
import type { Database } from './database.ts'
import { type Read, runStatement, type Tx } from './scope.ts'

const store = {
  insert: (tx: Tx) => runStatement(tx, 'insert into things default values', []),
  find: (read: Read) => runStatement(read, 'select 1', []),
}

test('a database has no way to run a statement outside of a scope', async () => {
  expectTypeOf<keyof Database>().toEqualTypeOf<
    'transaction' | 'write' | 'read' | 'reserved' | 'onWake' | 'isCrowded' | 'poolUse' | 'close'
  >()
  // @ts-expect-error -- a database is no scope
  const misuse = (database: Database) => runStatement(database, 'select 1', [])
  await expect(misuse(Object.create(null))).rejects.toThrow(TypeError)
})

test('a store function that writes cannot be called with a read, nor with something made up', async () => {
  const misuse = (database: Database) => {
    void database.transaction((tx) => store.insert(tx))
    void database.transaction((tx) => store.find(tx))
    void database.read((read) => store.find(read))
    // @ts-expect-error -- a read is no transaction
    void database.read((read) => store.insert(read))
  }
  expectTypeOf(misuse).toBeFunction()
  // @ts-expect-error -- only Database.transaction makes a Tx
  await expect(store.insert({ afterCommit: () => {} })).rejects.toThrow(TypeError)
})
