import { expectTypeOf, test } from 'vitest'
import type { Database } from './database.ts'
import { type Read, runStatement, type Tx } from './scope.ts'

type Store = { insert(tx: Tx): Promise<void>; find(read: Read): Promise<void> }

test('a database has no way to run a statement outside of a scope', () => {
  expectTypeOf<keyof Database>().toEqualTypeOf<'transaction' | 'write' | 'read' | 'poolUse' | 'close'>()
  const misuse = (database: Database) => {
    // @ts-expect-error -- a database is no scope
    void runStatement(database, 'select 1', [])
  }
  expectTypeOf(misuse).toBeFunction()
})

test('a store function that writes cannot be called with a read, nor with something made up', () => {
  const misuse = (store: Store, database: Database) => {
    void database.transaction((tx) => store.insert(tx))
    void database.transaction((tx) => store.find(tx))
    void database.read((read) => store.find(read))
    // @ts-expect-error -- a read is no transaction
    void database.read((read) => store.insert(read))
    // @ts-expect-error -- only Database.transaction makes a Tx
    void store.insert({ afterCommit: () => {} })
  }
  expectTypeOf(misuse).toBeFunction()
})
