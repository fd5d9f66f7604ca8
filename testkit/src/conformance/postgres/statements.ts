import { runStatement } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { readNotes, type Site, writeNote } from './site.ts'

/** Reading outside of a transaction. */
export function describeReads(site: () => Site): void {
  test('refuses to write', async () => {
    const work = site().database.read((read) => runStatement(read, `insert into note values (1, 'no')`, []))
    await expect(work).rejects.toMatchObject({ code: '25006' })
  })

  test('gives int8 as a number, refuses one that a number cannot hold, and gives dates as written', async () => {
    const [row] = await site().database.read((read) => runStatement(read, SELECT_TYPES, []))
    expect(row).toEqual({ count: 1, large: [9_007_199_254_740_991, null], day: '2026-03-29' })
    const tooLarge = site().database.read((read) => runStatement(read, 'select 9007199254740992::int8', []))
    await expect(tooLarge).rejects.toThrow('does not fit a number')
    expect(await site().database.read(readNotes)).toEqual([])
  })
}

const SELECT_TYPES = `select count(*) as count, '{9007199254740991,null}'::int8[] as large, '2026-03-29'::date as day`

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
