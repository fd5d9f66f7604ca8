import type { Clock } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { BusContext } from '../context.ts'
import type { Party } from '../parties.ts'
import { lockAllLanes } from '../store/inbox.ts'
import { holdPeer, joinBus, meetPeer, raiseSelf, readPeer, readSelf } from '../store/sessions.ts'

/** Registers the database under its party; a database of another party is refused. */
export async function join(context: BusContext): Promise<void> {
  const self = await context.database.transaction(async (tx) => {
    await joinBus(tx, context.self, context.clock.now())
    return readSelf(tx)
  })
  if (self?.party !== context.self)
    throw new Error(`this database belongs to the party ${self?.party}, not ${context.self}: check its URL`)
}

/**
 * Run once after a database was restored from a backup, before its processes start. Its later tells get new numbers,
 * and every peer compares cursors before tells flow again. Returns the new incarnation.
 */
export async function raiseIncarnation(database: Database, clock: Clock): Promise<number> {
  return database.transaction((tx) => raiseSelf(tx, clock.now()))
}

export async function ownLife(context: BusContext): Promise<number> {
  const self = await context.database.read(readSelf)
  if (self === null) throw new Error('this database has not joined the bus yet: await bus.start()')
  return self.incarnation
}

/** Records a peer's incarnation. `stale`: it is below a known one, so an old copy of its database is running. */
export async function meet(context: BusContext, party: Party, life: number): Promise<'known' | 'new' | 'stale'> {
  const known = await context.database.read((read) => readPeer(read, party))
  if (known !== null && known.incarnation > life) {
    context.telemetry.log.error(
      { peer: party, presented: life, known: known.incarnation },
      `${party} runs on an old copy of its database: stop it, or mark it as restored (docs/runbooks/restore-a-region.md)`,
    )
    return 'stale'
  }
  if (known?.incarnation === life) return 'known'
  await context.database.transaction(async (tx) => {
    await lockAllLanes(tx)
    await meetPeer(tx, party, life)
  })
  context.telemetry.log.info({ peer: party, incarnation: life }, 'met a new incarnation of a peer')
  return 'new'
}

/** Stops both directions until an incarnation is raised. `outdated` is the party whose database is the older copy. */
export async function hold(context: BusContext, peer: Party, outdated: Party, reason: string): Promise<void> {
  const text = `${reason}. Mark the database of ${outdated} as restored (docs/runbooks/restore-a-region.md); tells then flow again`
  const isNew = await context.database.transaction((tx) => holdPeer(tx, peer, text, context.clock.now()))
  if (isNew) context.telemetry.log.error({ peer, outdated }, `the bus holds all tells with ${peer}: ${text}`)
}
