import { type Loss, raiseIncarnation } from '@sealpost/bus'
import { expect, test } from 'vitest'
import { waitUntil } from '../../engines/wait-until.ts'
import { type BusParty, type BusSite, EU, note, systemClock, US, WAIT_MS, writeHeard } from './site.ts'

export function describeRestores(site: () => BusSite): void {
  test('after a restore the peer sends again what the backup had not seen, exactly once and in order', async () => {
    const { eu, us, backup } = await runThenRestore(site(), async (first, other) => {
      for (const text of ['3', '4', '5']) await other.tellNote(EU, 'k', text)
      await first.waitUntilHeard(5)
      await other.waitUntilConfirmed()
    })
    await raiseIn(site(), backup)
    const restored = await site().open(EU, { database: backup })
    expect(await restored.waitUntilHeard(5)).toEqual(['1', '2', '3', '4', '5'])
    await us.tellNote(EU, 'k', '6')
    expect(await restored.waitUntilHeard(6)).toEqual(['1', '2', '3', '4', '5', '6'])
    await us.waitUntilConfirmed()
    expect((await restored.bus.health()).openLosses).toEqual([])
    await closeAll(eu, us, restored)
  })

  test('what a restored region tells gets new numbers: the peer takes none of it for a duplicate', async () => {
    const { us, backup } = await runThenRestore(site(), async (first, other) => {
      for (const text of ['lost a', 'lost b', 'lost c']) await first.tellNote(US, 'k', text)
      await other.waitUntilHeard(3)
    })
    await raiseIn(site(), backup)
    const restored = await site().open(EU, { database: backup })
    for (const text of ['new a', 'new b']) await restored.tellNote(US, 'k', text)
    expect(await us.waitUntilHeard(5)).toEqual(['lost a', 'lost b', 'lost c', 'new a', 'new b'])
    await restored.waitUntilConfirmed()
    const losses = (await restored.bus.health()).openLosses
    expect(losses).toMatchObject([{ peer: US, key: 'k', fromSeq: 1, toSeq: 3, what: 'forgotten' }])
    await closeAll(us, restored)
  })

  test('a tell that waited in the backup and was applied meanwhile is not applied again; one that was not still arrives', async () => {
    const us = await site().open(US)
    const quiet = await site().open(EU, { roles: { relay: false } })
    for (const text of ['1', '2']) await quiet.tellNote(US, 'k', text)
    await quiet.tellNote(US, 'other', 'never sent before the restore')
    await quiet.close()
    const backup = await site().backUp(quiet.databaseName)
    const first = await site().open(EU, { database: quiet.databaseName, roles: { relay: false } })
    await first.run(`delete from bus.lane where key = 'other'`)
    await first.close()
    const second = await site().open(EU, { database: quiet.databaseName })
    await us.waitUntilHeard(2)
    await second.close()
    await raiseIn(site(), backup)
    const restored = await site().open(EU, { database: backup })
    await restored.tellNote(US, 'k', '3')
    expect(await us.waitUntilHeard(3, 'k')).toEqual(['1', '2', '3'])
    expect(await us.waitUntilHeard(1, 'other')).toEqual(['never sent before the restore'])
    await restored.waitUntilConfirmed()
    expect(await us.heard()).toHaveLength(4)
    await closeAll(us, restored)
  })

  test('what is older than the kept history is reported and handed to onLoss, and the lane goes on', async () => {
    const { us, backup } = await runThenRestore(site(), async (first, other) => {
      for (const text of ['3', '4', '5']) await other.tellNote(EU, 'k', text)
      await other.waitUntilConfirmed()
      await other.run('delete from bus.outbox where seq in (3, 4)')
      await first.waitUntilHeard(5)
    })
    await raiseIn(site(), backup)
    const losses: Loss[] = []
    const restored = await site().open(EU, {
      database: backup,
      register(bus) {
        bus.onTell(note, writeHeard)
        bus.onLoss((_tx, loss) => Promise.resolve(void losses.push(loss)))
      },
    })
    expect(await restored.waitUntilHeard(3)).toEqual(['1', '2', '5'])
    await us.tellNote(EU, 'k', '6')
    expect(await restored.waitUntilHeard(4)).toEqual(['1', '2', '5', '6'])
    const found = await restored.rows('select peer, key, from_seq, to_seq, what from bus.loss')
    expect(found).toEqual([{ peer: 'us', key: 'k', from_seq: 3, to_seq: 4, what: 'not_received' }])
    await restored.close()
    const again = await site().open(EU, {
      database: backup,
      register: (bus) => {
        bus.onTell(note, writeHeard)
        bus.onLoss((_tx, loss) => Promise.resolve(void losses.push(loss)))
      },
    })
    await waitUntil('the loss was handed over', WAIT_MS, () => losses.length > 0)
    await waitUntil('and settled', WAIT_MS, async () => (await again.bus.health()).openLosses.length === 0)
    expect(losses).toMatchObject([{ peer: US, key: 'k', fromSeq: 3, toSeq: 4, what: 'not_received' }])
    await closeAll(us, again)
  })

  test('a sender restored without raising its incarnation is noticed before anything is lost, and told what to run', async () => {
    const { us, backup } = await runThenRestore(site(), async (first, other) => {
      for (const text of ['a', 'b', 'c']) await first.tellNote(US, 'k', text)
      await other.waitUntilHeard(3)
      await first.waitUntilConfirmed()
    })
    const careless = await site().open(EU, { database: backup, roles: { relay: false } })
    for (const text of ['A', 'B', 'C', 'D']) await careless.tellNote(US, 'k', text)
    await careless.close()
    const relaying = await site().open(EU, { database: backup })
    const isHeld = async () => {
      const held = [...(await us.bus.health()).heldPeers, ...(await relaying.bus.health()).heldPeers]
      return held.some(({ reason }) => reason.includes('the database of eu as restored'))
    }
    await waitUntil('the link is held', WAIT_MS, isHeld)
    expect(await us.heard('k')).toEqual(['a', 'b', 'c'])
    expect((await relaying.rows('select 1 from bus.lane where pending')).length).toBe(1)
    await relaying.close()
    await raiseIn(site(), backup)
    const raised = await site().open(EU, { database: backup })
    await raised.tellNote(US, 'k', 'E')
    const heard = await us.waitUntilHeard(5, 'k')
    expect(heard).toEqual(['a', 'b', 'c', 'D', 'E'])
    // What was told under numbers that the peer had seen cannot be told apart any more: it is reported, not guessed.
    expect((await raised.bus.health()).openLosses).toMatchObject([{ key: 'k', fromSeq: 1, toSeq: 3, what: 'doubtful' }])
    await closeAll(us, raised)
  })

  test('a receiver restored without raising its incarnation is noticed, and everything is sent again once it is raised', async () => {
    const { us, backup } = await runThenRestore(site(), async (first, other) => {
      for (const text of ['3', '4']) await other.tellNote(EU, 'k', text)
      await first.waitUntilHeard(4)
      await other.waitUntilConfirmed()
    })
    const careless = await site().open(EU, { database: backup })
    await us.tellNote(EU, 'k', '5')
    await waitUntil('the link is held', WAIT_MS, async () => (await us.bus.health()).heldPeers.length > 0)
    expect((await us.bus.health()).heldPeers[0]?.reason).toContain('the database of eu as restored')
    await careless.close()
    await raiseIn(site(), backup)
    const raised = await site().open(EU, { database: backup })
    expect(await raised.waitUntilHeard(5)).toEqual(['1', '2', '3', '4', '5'])
    expect((await us.bus.health()).heldPeers).toEqual([])
    await closeAll(us, raised)
  })
}

interface BeforeRestore {
  readonly eu: BusParty
  readonly us: BusParty
  readonly backup: string
}

/** us tells eu two notes; eu is backed up; `meanwhile` happens; eu is gone. */
async function runThenRestore(
  site: BusSite,
  meanwhile: (eu: BusParty, us: BusParty) => Promise<void>,
): Promise<BeforeRestore> {
  const us = await site.open(US)
  const young = await site.open(EU)
  for (const text of ['1', '2']) await us.tellNote(EU, 'k', text)
  await young.waitUntilHeard(2)
  await us.waitUntilConfirmed()
  await young.close()
  const backup = await site.backUp(young.databaseName)
  const eu = await site.open(EU, { database: young.databaseName })
  await meanwhile(eu, us)
  await eu.close()
  return { eu, us, backup }
}

async function raiseIn(site: BusSite, database: string): Promise<void> {
  const operator = await site.open(EU, {
    database,
    roles: { relay: false, inbox: false, responder: false },
    register: () => {},
  })
  await raiseIncarnation(operator.database, systemClock)
  await operator.close()
}

async function closeAll(...parties: readonly BusParty[]): Promise<void> {
  for (const party of parties) await party.close()
}
