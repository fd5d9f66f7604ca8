import {
  CommitOutcomeUnknownError,
  type Database,
  type DatabaseOptions,
  type Read,
  runStatement,
  type Tx,
} from '@sealpost/postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PrivatePostgres, startPrivatePostgres, startPrivateStandby } from '../../engines/postgres.ts'
import type { OpenDatabase } from './site.ts'

const FAILOVER_BUDGET_MS = 20_000

/** What a list of hosts promises, shown on a real primary with a streaming standby. */
export function describeFailover(openDatabase: OpenDatabase): void {
  let first: PrivatePostgres
  let second: PrivatePostgres
  let database: Database
  const open = (options: Partial<DatabaseOptions> = {}): Database =>
    openDatabase({ url: bothHosts(second, first), connectTimeoutMs: FAILOVER_BUDGET_MS, ...options })

  beforeEach(async () => {
    first = await startPrivatePostgres()
    second = await startPrivateStandby(first)
    database = open()
    await database.transaction(async (tx) => void (await runStatement(tx, 'create table note (text text)', [])))
  })
  afterEach(async () => {
    await database.close()
    await Promise.all([first.remove(), second.remove()])
  })

  test('a database with two hosts writes to the primary, follows a promotion, and goes back again', async () => {
    await database.transaction((tx) => writeNote(tx, 'one'))
    await second.catchUpWith(first)

    await first.kill()
    const during = database.transaction((tx) => writeNote(tx, 'two'))
    await second.promote()
    await during

    await first.follow(second)
    await database.transaction((tx) => writeNote(tx, 'three'))
    await first.catchUpWith(second)
    await second.kill()
    await first.promote()
    await database.transaction((tx) => writeNote(tx, 'four'))
    expect(await database.read(readNotes)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('a crowd that waits for few connections gets through a failover; only a COMMIT under way may be in doubt', async () => {
    const crowded = open({ poolSize: 3 })
    const writers = Array.from({ length: 30 }, (_, index) =>
      crowded.transaction(async (tx) => {
        await runStatement(tx, 'select pg_sleep(0.1)', [])
        await writeNote(tx, String(index))
      }),
    )
    const outcomes = Promise.allSettled(writers)
    await Promise.any(writers)
    await first.kill()
    await second.promote()

    const failures = (await outcomes).filter((outcome) => outcome.status === 'rejected')
    await crowded.close()
    expect(failures.filter(({ reason }) => !(reason instanceof CommitOutcomeUnknownError))).toEqual([])
    expect(failures.length).toBeLessThanOrEqual(3)
  })

  test('a commit that no standby has confirmed is never told as done, however long it waits', async () => {
    const impatient = open({ statementTimeoutMs: 500 })
    await impatient.transaction((tx) => writeNote(tx, 'one'))
    await first.requireStandby()
    await second.kill()
    const outcome = impatient
      .transaction((tx) => writeNote(tx, 'two'))
      .then(
        () => 'acknowledged',
        (error: unknown) => (error instanceof CommitOutcomeUnknownError ? 'in doubt' : String(error)),
      )
    expect(await outcome).toBe('in doubt')
    await first.kill()
    await second.start()
    await second.promote()
    expect(await database.read(readNotes)).toEqual(['one'])
    await impatient.close()
  })

  test.each(['transaction', 'write'] as const)('a primary fenced while connected is left by a %s', async (way) => {
    await database[way]((tx) => writeNote(tx, 'one'))
    const admin = openDatabase({ url: first.url })
    await admin.read((read) => runStatement(read, 'alter system set default_transaction_read_only = on', []))
    await admin.read((read) => runStatement(read, 'select pg_reload_conf()', []))
    await admin.close()
    await second.catchUpWith(first)
    await second.promote()

    await database[way]((tx) => writeNote(tx, 'two'))
    expect(await database.read(readNotes)).toEqual(['one', 'two'])
  })

  test('of two servers that both take writes, the one promoted last is used', async () => {
    await second.catchUpWith(first)
    await first.kill()
    await second.promote()
    await first.start()

    const fresh = open()
    await fresh.transaction((tx) => writeNote(tx, 'on the new primary'))
    await fresh.close()
    const newPrimary = openDatabase({ url: second.url })
    expect(await newPrimary.read(readNotes)).toEqual(['on the new primary'])
    await newPrimary.close()
  })
}

function bothHosts(one: PrivatePostgres, other: PrivatePostgres): string {
  return `postgres://postgres@127.0.0.1:${one.port},127.0.0.1:${other.port}/postgres`
}

async function writeNote(tx: Tx, text: string): Promise<void> {
  await runStatement(tx, 'insert into note values ($1)', [text])
}

async function readNotes(read: Read): Promise<readonly string[]> {
  const rows = await runStatement<{ text: string }>(read, 'select text from note order by ctid', [])
  return rows.map((row) => row.text)
}
