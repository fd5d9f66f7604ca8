import { CommitOutcomeUnknownError, runStatement } from '@sealpost/postgres'
import { expect, test } from 'vitest'
import { appendToNote, backendOf, findCommitting, readNotes, type Site, terminate, writeNote } from './site.ts'

/** What is done again by itself, and what never is. */
export function describeRepeats(site: () => Site): void {
  test('caught in a deadlock is repeated until both have committed', async () => {
    await site().database.transaction(async (tx) => {
      await writeNote(tx, 1, '')
      await writeNote(tx, 2, '')
    })
    const bothHoldOne = meetingPoint(2)
    const cross = (name: string, first: number, second: number) =>
      site().database.transaction(async (tx) => {
        await appendToNote(tx, first, name)
        await bothHoldOne()
        await appendToNote(tx, second, name)
      })
    await Promise.all([cross('a', 1, 2), cross('b', 2, 1)])
    const notes = await site().database.read(readNotes)
    expect(notes.map((text) => text.split('').toSorted().join(''))).toEqual(['ab', 'ab'])
  })

  test('whose connection breaks before COMMIT is repeated on another one', async () => {
    const backends: number[] = []
    await site().database.transaction(async (tx) => {
      const backend = await backendOf(tx)
      backends.push(backend)
      if (backends.length === 1) await terminate(site().database, backend)
      await writeNote(tx, 1, 'kept')
    })
    expect(new Set(backends).size).toBe(2)
    expect(await site().database.read(readNotes)).toEqual(['kept'])
  })

  test('whose connection was gone before COMMIT was sent is repeated, because nothing can have been committed', async () => {
    let runs = 0
    await site().database.transaction(async (tx) => {
      runs += 1
      await writeNote(tx, 1, 'once')
      if (runs > 1) return
      await terminate(site().database, await backendOf(tx))
      // One more round trip, so that the end of the connection has been heard before COMMIT is due.
      await site().database.read(readNotes)
    })
    expect(runs).toBe(2)
    expect(await site().database.read(readNotes)).toEqual(['once'])
  })

  test('whose work fails on a broken connection does not leave that connection behind', async () => {
    const single = site().open({ poolSize: 1 })
    const work = single.transaction(async (tx) => {
      await terminate(site().database, await backendOf(tx))
      throw new Error('own failure')
    })
    await expect(work).rejects.toThrow('own failure')
    await single.transaction((tx) => writeNote(tx, 1, 'next'))
    await single.close()
    expect(await site().database.read(readNotes)).toEqual(['next'])
  })

  test('whose connection breaks during COMMIT is never repeated and says that its outcome is unknown', async () => {
    let runs = 0
    const work = site().database.transaction(async (tx) => {
      runs += 1
      await runStatement(tx, `insert into slow_commit values ('x')`, [])
    })
    const refused = expect(work).rejects.toBeInstanceOf(CommitOutcomeUnknownError)
    await terminate(site().database, await findCommitting(site().database))
    await refused
    expect(runs).toBe(1)
  })

  test('a database keeps working when its server is killed and comes back', async () => {
    await site().database.transaction((tx) => writeNote(tx, 1, 'before'))
    await site().server.kill()
    const during = site().database.transaction((tx) => writeNote(tx, 2, 'after'))
    await site().server.start()
    await during
    expect(await site().database.read(readNotes)).toEqual(['before', 'after'])
  })
}

/** A barrier: resolves for all when the last of `parties` has arrived; later arrivals pass at once. */
function meetingPoint(parties: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let present = 0
  return () => {
    present += 1
    if (present >= parties) resolve()
    return promise
  }
}
