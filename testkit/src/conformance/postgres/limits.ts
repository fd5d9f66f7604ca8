import { EngineError } from '@sealpost/kernel'
import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseUnavailableError,
  PoolExhaustedError,
  runStatement,
} from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { reservePort } from '../../engines/ports.ts'
import { appendToNote, readNotes, type Site, writeNote } from './site.ts'

/** Nothing waits for ever, and what is in use can be seen. */
export function describeLimits(site: () => Site): void {
  const failing = (code: string): Promise<unknown> =>
    site().database.transaction((tx) =>
      runStatement(tx, `do $$ begin raise exception 'planted' using errcode = '${code}'; end $$`, []),
    )

  test('ends a statement that runs too long', async () => {
    const hasty = site().open({ statementTimeoutMs: 100 })
    const slow = hasty.read((read) => runStatement(read, 'select pg_sleep(10)', []))
    await expect(slow).rejects.toBeInstanceOf(DatabaseBusyError)
    await hasty.close()
  })

  test('ends a statement that waits too long for a lock, and nothing of its transaction is left', async () => {
    const hasty = site().open({ lockTimeoutMs: 50 })
    await site().database.transaction((tx) => writeNote(tx, 1, 'kept'))
    await site().database.transaction(async (holding) => {
      await appendToNote(holding, 1, '!')
      const waiting = hasty.transaction(async (tx) => {
        await writeNote(tx, 2, 'lost')
        await appendToNote(tx, 1, '?')
      })
      await expect(waiting).rejects.toBeInstanceOf(DatabaseBusyError)
    })
    await hasty.close()
    expect(await site().database.read(readNotes)).toEqual(['kept!'])
  })

  test('tells a full pool apart from a missing server', async () => {
    const single = site().open({ poolSize: 1, connectTimeoutMs: 200 })
    await single.transaction(async () => {
      await expect(single.transaction(async () => {})).rejects.toBeInstanceOf(PoolExhaustedError)
    })
    await single.close()

    const nowhere = await reservePort()
    const missing = site().open({
      url: `postgres://postgres@127.0.0.1:${nowhere.port}/postgres`,
      connectTimeoutMs: 200,
    })
    await expect(missing.read(readNotes)).rejects.toBeInstanceOf(DatabaseUnavailableError)
    nowhere.release()
  })

  test('tells a full disk and a server that takes no writes apart from faults of the work', async () => {
    await expect(failing('53100')).rejects.toBeInstanceOf(DatabaseFullError)
    await expect(failing('53200')).rejects.toBeInstanceOf(DatabaseFullError)
    await expect(failing('58030')).rejects.toBeInstanceOf(DatabaseUnavailableError)
    await expect(failing('25006')).rejects.toBeInstanceOf(DatabaseUnavailableError)
    await expect(failing('23505')).rejects.not.toBeInstanceOf(EngineError)
  })

  test('shows how many connections are in use', async () => {
    const observed: string[] = []
    const watched = site().open({ observer: { transactionEnded: (_seconds, outcome) => observed.push(outcome) } })
    await watched.transaction(async () => expect(watched.poolUse().write).toEqual({ open: 1, idle: 0, waiting: 0 }))
    expect(watched.poolUse().write.idle).toBe(1)
    expect(observed).toEqual(['committed'])
    await watched.close()
  })
}
