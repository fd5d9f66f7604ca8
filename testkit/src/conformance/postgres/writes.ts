import { runStatement } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { readNotes, type Site, writeNote } from './site.ts'

/** A statement without a transaction around it. */
export function describeWrites(site: () => Site): void {
  test('commits its one statement, and only then does what was to be done after it', async () => {
    const seen: string[] = []
    await site().database.write(async (tx) => {
      tx.afterCommit(() => seen.push('after'))
      await writeNote(tx, 1, 'kept')
      seen.push('written')
    })
    expect(seen).toEqual(['written', 'after'])
    expect(await site().database.read(readNotes)).toEqual(['kept'])
  })

  test('refuses a second statement: the two would not be one', async () => {
    const work = site().database.write(async (tx) => {
      await writeNote(tx, 1, 'first')
      await writeNote(tx, 2, 'second')
    })
    await expect(work).rejects.toThrow('open a transaction for several')
    expect(await site().database.read(readNotes)).toEqual(['first'])
  })

  test('writes nothing when its statement fails, and its connection goes on', async () => {
    const single = site().open({ poolSize: 1 })
    const twice = `insert into note select 1, 'twice' from generate_series(1, 2)`
    await expect(single.write((tx) => runStatement(tx, twice, []))).rejects.toMatchObject({ code: '23505' })
    await single.write((tx) => writeNote(tx, 1, 'next'))
    await single.close()
    expect(await site().database.read(readNotes)).toEqual(['next'])
  })

  test('is made again when its connection breaks before the answer', async () => {
    let runs = 0
    await site().database.write(async (tx) => {
      runs += 1
      if (runs === 1) await runStatement(tx, 'select pg_terminate_backend(pg_backend_pid())', [])
      else await writeNote(tx, 1, 'made')
    })
    expect(runs).toBe(2)
    expect(await site().database.read(readNotes)).toEqual(['made'])
  })
}
