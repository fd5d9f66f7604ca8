import { formatInstant, type Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Party } from '../parties.ts'

export interface Self {
  readonly party: string
  readonly incarnation: number
}

/** Where paging through the lanes of an exchange has come to. */
export interface LanePosition {
  readonly key: string
  readonly incarnation: number
}

export interface Peer {
  /** The newest life that was seen. */
  readonly incarnation: number
  /** The two lives for which our lanes have been compared with the peer's cursors. */
  readonly settledOwn: number | null
  readonly settledPeer: number | null
  readonly exchanged: LanePosition
  readonly held: string | null
}

export interface HeldPeer {
  readonly party: Party
  readonly reason: string
  readonly since: string
}

/** Sorts before every lane: keys are never empty. */
export const FIRST_POSITION: LanePosition = { key: '', incarnation: 0 }

const JOIN = `
insert into bus.self (party, incarnation, raised_at) values ($1, $2, $3) on conflict do nothing`

/** The first call gives the database its party and its first incarnation; later ones change nothing. */
export async function joinBus(tx: Tx, party: Party, now: Instant): Promise<void> {
  await runStatement(tx, JOIN, [party, now, formatInstant(now)])
}

export async function readSelf(read: Read): Promise<Self | null> {
  const [row] = await runStatement<Self>(read, 'select party, incarnation from bus.self', [])
  return row ?? null
}

/**
 * The new number is also above every number that this party had after the backup was taken, which this database has
 * forgotten: it is the time, unless the clock went backwards.
 */
const RAISE = `
update bus.self set incarnation = greatest(incarnation + 1, $1), raised_at = $2 returning incarnation`

const FORGET_PROGRESS = `
update bus.peer set held = null, held_at = null, exchanged_key = null, exchanged_incarnation = null`

export async function raiseSelf(tx: Tx, now: Instant): Promise<number> {
  // Tells that are being written now end under the old number; none begins before this transaction has ended.
  await runStatement(tx, 'lock table bus.lane in exclusive mode', [])
  const [row] = await runStatement<{ incarnation: number }>(tx, RAISE, [now, formatInstant(now)])
  if (row === undefined) throw new Error('this database has never joined the bus, so it has no incarnation to raise')
  await runStatement(tx, FORGET_PROGRESS, [])
  return row.incarnation
}

const PEER = `
select incarnation, settled_own, settled_peer, exchanged_key, exchanged_incarnation, held
from bus.peer where party = $1`

export async function readPeer(read: Read, party: Party): Promise<Peer | null> {
  const [row] = await runStatement<PeerRow>(read, PEER, [party])
  return row === undefined ? null : peerOf(row)
}

/** Keeps the session from changing until the transaction ends; others may do the same at the same time. */
export async function sharePeer(tx: Tx, party: Party): Promise<Peer | null> {
  const [row] = await runStatement<PeerRow>(tx, `${PEER} for share`, [party])
  return row === undefined ? null : peerOf(row)
}

export async function lockPeer(tx: Tx, party: Party): Promise<Peer | null> {
  const [row] = await runStatement<PeerRow>(tx, `${PEER} for update`, [party])
  return row === undefined ? null : peerOf(row)
}

const MEET = `
insert into bus.peer as peer (party, incarnation) values ($1, $2)
on conflict (party) do update
  set incarnation = excluded.incarnation, held = null, held_at = null, exchanged_key = null, exchanged_incarnation = null
  where peer.incarnation < excluded.incarnation`

/** Learns a peer's newer life, which also ends what it was held for. */
export async function meetPeer(tx: Tx, party: Party, incarnation: number): Promise<void> {
  await runStatement(tx, MEET, [party, incarnation])
}

const HOLD = `update bus.peer set held = $2, held_at = $3 where party = $1 and held is null returning party`

/** Answers whether it was not held before. */
export async function holdPeer(tx: Tx, party: Party, reason: string, now: Instant): Promise<boolean> {
  const rows = await runStatement(tx, HOLD, [party, reason, formatInstant(now)])
  return rows.length > 0
}

const PROGRESS = `update bus.peer set exchanged_key = $2, exchanged_incarnation = $3 where party = $1`

export async function recordExchanged(tx: Tx, party: Party, upTo: LanePosition): Promise<void> {
  await runStatement(tx, PROGRESS, [party, upTo.key, upTo.incarnation])
}

const SETTLE = `
update bus.peer set settled_own = $2, settled_peer = $3, exchanged_key = null, exchanged_incarnation = null
where party = $1`

export async function settlePeer(tx: Tx, party: Party, own: number, peer: number): Promise<void> {
  await runStatement(tx, SETTLE, [party, own, peer])
}

const HELD = `select party, held as reason, held_at::text as since from bus.peer where held is not null order by party`

export async function readHeldPeers(read: Read): Promise<readonly HeldPeer[]> {
  return runStatement<HeldPeer>(read, HELD, [])
}

function peerOf(row: PeerRow): Peer {
  const { exchanged_key: key, exchanged_incarnation: incarnation } = row
  return {
    incarnation: row.incarnation,
    settledOwn: row.settled_own,
    settledPeer: row.settled_peer,
    exchanged: key === null || incarnation === null ? FIRST_POSITION : { key, incarnation },
    held: row.held,
  }
}

interface PeerRow {
  readonly incarnation: number
  readonly settled_own: number | null
  readonly settled_peer: number | null
  readonly exchanged_key: string | null
  readonly exchanged_incarnation: number | null
  readonly held: string | null
}
