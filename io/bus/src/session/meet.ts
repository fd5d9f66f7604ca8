import type { Clock } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { BusNeeds } from '../needs.ts'
import type { Party } from '../parties.ts'
import { holdAllApplying } from '../store/inbox.ts'
import { holdPeer, joinBus, meetPeer, raiseSelf, readPeer, readSelf } from '../store/sessions.ts'

/** Gives the database its name on the bus; a database of another party is refused. */
export async function join(needs: BusNeeds): Promise<void> {
  const self = await needs.database.transaction(async (tx) => {
    await joinBus(tx, needs.self, needs.clock.now())
    return readSelf(tx)
  })
  if (self?.party !== needs.self)
    throw new Error(`this database belongs to the party ${self?.party}, not ${needs.self}: check its URL`)
}

/**
 * To be run once after a database was restored from a backup, before its processes start. Its later tells get new
 * numbers, and every peer compares notes before anything flows. Answers the new incarnation.
 */
export async function raiseIncarnation(database: Database, clock: Clock): Promise<number> {
  return database.transaction((tx) => raiseSelf(tx, clock.now()))
}

export async function ownLife(needs: BusNeeds): Promise<number> {
  const self = await needs.database.read(readSelf)
  if (self === null) throw new Error('this database has not joined the bus yet: await bus.start()')
  return self.incarnation
}

/** Learns a peer's incarnation. `stale`: it is below one that was seen, so an old copy of its database is running. */
export async function meet(needs: BusNeeds, party: Party, life: number): Promise<'known' | 'new' | 'stale'> {
  const known = await needs.database.read((read) => readPeer(read, party))
  if (known !== null && known.incarnation > life) {
    needs.telemetry.log.error(
      { peer: party, presented: life, known: known.incarnation },
      `${party} runs on an old copy of its database: stop it, or mark it as restored (docs/runbooks/restore-a-region.md)`,
    )
    return 'stale'
  }
  if (known?.incarnation === life) return 'known'
  await needs.database.transaction(async (tx) => {
    await holdAllApplying(tx)
    await meetPeer(tx, party, life)
  })
  needs.telemetry.log.info({ peer: party, incarnation: life }, 'met a new incarnation of a peer')
  return 'new'
}

/** Stops both directions until somebody's incarnation is raised. `outdated` is whose database is the older copy. */
export async function hold(needs: BusNeeds, peer: Party, outdated: Party, reason: string): Promise<void> {
  const text = `${reason}. Mark the database of ${outdated} as restored (docs/runbooks/restore-a-region.md), then nothing more is needed`
  const isNew = await needs.database.transaction((tx) => holdPeer(tx, peer, text, needs.clock.now()))
  if (isNew) needs.telemetry.log.error({ peer, outdated }, `the bus holds all tells with ${peer}: ${text}`)
}
