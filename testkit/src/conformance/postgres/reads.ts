import { runStatement } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { readNotes, type Site } from './site.ts'

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
