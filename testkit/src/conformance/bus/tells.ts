import { INLINE_BODY_BYTES, type TellContract } from '@sealpost/bus'
import { expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { type BusSite, DIRECTORY, EU, note, parseText, US, WAIT_MS, writeHeard } from './site.ts'

export function describeTells(site: () => BusSite): void {
  test('tells of one key are applied in the order of their commits, keys side by side', async () => {
    const [eu, us] = [await site().open(EU), await site().open(US)]
    const keys = ['a', 'b', 'c']
    const tellInOrder = async (key: string): Promise<void> => {
      for (let n = 1; n <= 40; n += 1) await eu.tellNote(US, key, `${n}`)
    }
    await Promise.all(keys.map(tellInOrder))
    await us.waitUntilHeard(120)
    const expected = Array.from({ length: 40 }, (_, n) => `${n + 1}`)
    for (const key of keys) expect(await us.heard(key)).toEqual(expected)
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('a tell whose transaction rolls back is never sent, and leaves no gap', async () => {
    const [eu, us] = [await site().open(EU), await site().open(US)]
    const failing = eu.database.transaction(async (tx) => {
      await eu.bus.tell(tx, note, { to: US, key: 'k', body: { text: 'taken back' } })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await eu.tellNote(US, 'k', 'kept')
    expect(await us.waitUntilHeard(1)).toEqual(['kept'])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('tells of one call go to lanes of several parties, each after the earlier tells of its lane', async () => {
    const [eu, us, directory] = [await site().open(EU), await site().open(US), await site().open(DIRECTORY)]
    await eu.tellNote(US, 'b', 'earlier')
    const tells = [
      { to: US, key: 'b', body: { text: 'one' } },
      { to: DIRECTORY, key: 'b', body: { text: 'two' } },
      { to: US, key: 'a', body: { text: 'three "quoted" \\ {1}' } },
    ]
    await eu.database.transaction((tx) => eu.bus.tellAll(tx, note, tells))
    await eu.database.transaction((tx) => eu.bus.tellAll(tx, note, []))
    await us.waitUntilHeard(3)
    expect([await us.heard('a'), await us.heard('b')]).toEqual([['three "quoted" \\ {1}'], ['earlier', 'one']])
    expect(await directory.waitUntilHeard(1)).toEqual(['two'])
    await Promise.all([eu.close(), us.close(), directory.close()])
  })

  test('a region tells itself, and the directory tells and is told, over the same bus', async () => {
    const [eu, directory] = [await site().open(EU), await site().open(DIRECTORY)]
    await eu.tellNote(EU, 'k', 'to myself')
    await directory.tellNote(EU, 'd', 'from the directory')
    await eu.tellNote(DIRECTORY, 'k', 'to the directory')
    expect((await eu.waitUntilHeard(2)).toSorted()).toEqual(['from the directory', 'to myself'])
    expect(await directory.waitUntilHeard(1)).toEqual(['to the directory'])
    await Promise.all([eu.waitUntilConfirmed(), directory.waitUntilConfirmed()])
    await Promise.all([eu.close(), directory.close()])
  })

  test('sent twice by two relays at once, a tell is applied once', async () => {
    // The same name takes the same seats: both processes relay, which seats normally prevent.
    const one = await site().open(EU, { processName: 'twin' })
    const two = await site().open(EU, { processName: 'twin', database: one.databaseName })
    const us = await site().open(US)
    const expected = Array.from({ length: 100 }, (_, n) => `${n}`)
    for (const text of expected) await one.tellNote(US, 'k', text)
    expect(await us.waitUntilHeard(100)).toEqual(expected)
    await one.waitUntilConfirmed()
    await Promise.all([one.close(), two.close(), us.close()])
  })

  test('while writes are paused nothing is applied, and everything afterwards [HOOK-40]', async () => {
    let isPaused = false
    const us = await site().open(US, { switches: { isPaused: () => isPaused } })
    const eu = await site().open(EU)
    await eu.tellNote(US, 'k', 'before')
    await us.waitUntilHeard(1)
    isPaused = true
    for (const text of ['1', '2', '3']) await eu.tellNote(US, 'k', text)
    // The way back is open: what is told after the pause began has had its chance to be applied.
    await us.tellNote(EU, 'k', 'answer')
    await eu.waitUntilHeard(1)
    expect(await us.heard()).toEqual(['before'])
    isPaused = false
    expect(await us.waitUntilHeard(4)).toEqual(['before', '1', '2', '3'])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('a tell that comes again is not applied again, and is confirmed again', async () => {
    const [eu, us] = [await site().open(EU), await site().open(US)]
    for (const text of ['1', '2', '3']) await eu.tellNote(US, 'k', text)
    await us.waitUntilHeard(3)
    await eu.waitUntilConfirmed()
    await eu.run('update bus.lane set confirmed_seq = 0, pending = true')
    await eu.waitUntilConfirmed()
    expect(await us.heard()).toEqual(['1', '2', '3'])
    await Promise.all([eu.close(), us.close()])
  })

  test('a failing handler holds its key and no other, shows itself, and goes on once it can', async () => {
    let isBroken = true
    const eu = await site().open(EU)
    const us = await site().open(US, {
      register: (bus) =>
        bus.onTell(note, async (tx, message) => {
          if (isBroken && message.body.text === 'stuck') throw new Error('the handler is broken')
          await writeHeard(tx, message)
        }),
    })
    await eu.tellNote(US, 'bad', 'stuck')
    await eu.tellNote(US, 'bad', 'behind it')
    await eu.tellNote(US, 'good', 'another key')
    expect(await us.waitUntilHeard(1)).toEqual(['another key'])
    const failing = async () => (await us.bus.health()).failingLanes
    await waitUntil('the failure shows and is retried', WAIT_MS, async () => ((await failing())[0]?.attempts ?? 0) >= 2)
    expect(await failing()).toMatchObject([
      { source: EU, key: 'bad', seq: 1, kind: note.kind, error: 'Error: the handler is broken' },
    ])
    isBroken = false
    expect(await us.waitUntilHeard(2, 'bad')).toEqual(['stuck', 'behind it'])
    expect(await failing()).toEqual([])
    await eu.waitUntilConfirmed()
    await Promise.all([eu.close(), us.close()])
  })

  test('an unknown kind waits for a release that has it, and its error contains nothing of the body', async () => {
    const eu = await site().open(EU)
    let us = await site().open(US, { register: () => {} })
    await eu.tellNote(US, 'k', 'a private matter')
    const failing = async () => (await us.bus.health()).failingLanes
    await waitUntil('the failure shows', WAIT_MS, async () => (await failing()).length > 0)
    expect((await failing())[0]?.error).toMatch(/^TellRefusal: no handler for the tell test\.note here/)
    expect(JSON.stringify(await us.rows('select * from bus.inbox_lane'))).not.toContain('private matter')
    await us.close()
    us = await site().open(US, { database: us.databaseName })
    expect(await us.waitUntilHeard(1)).toEqual(['a private matter'])
    await Promise.all([eu.close(), us.close()])
  })

  test('the previous version of a kind is understood, an unknown one waits', async () => {
    const second: TellContract<{ readonly text: string }> = {
      ...note,
      version: 2,
      parsePrevious: (body) => ({ text: `${parseText(body).text}, upgraded` }),
    }
    const third = { ...note, version: 3 }
    const eu = await site().open(EU)
    const us = await site().open(US, { register: (bus) => bus.onTell(second, writeHeard) })
    for (const contract of [note, second, third])
      await eu.database.transaction((tx) =>
        eu.bus.tell(tx, contract, { to: US, key: `v${contract.version}`, body: { text: `v${contract.version}` } }),
      )
    expect((await us.waitUntilHeard(2)).toSorted()).toEqual(['v1, upgraded', 'v2'])
    await waitUntil('the newer one waits', WAIT_MS, async () => (await us.bus.health()).failingLanes.length === 1)
    expect((await us.bus.health()).failingLanes[0]?.error).toMatch(/arrived as version 3, this release knows 2/)
    await Promise.all([eu.close(), us.close()])
  })

  test('without an object store a body over 256 KiB is refused where it is told', async () => {
    const eu = await site().open(EU)
    await expect(eu.tellNote(US, 'k', 'x'.repeat(INLINE_BODY_BYTES))).rejects.toThrow('no object store')
    await eu.close()
  })
}
