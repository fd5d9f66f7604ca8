import { formatInstant, type Instant } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Party } from '../parties.ts'

export interface Self {
  readonly party: string
  readonly incarnation: number
}

/** The position of an exchange that pages through the lanes. */
export interface LanePosition {
  readonly key: string
  readonly incarnation: number
}

export interface Peer {
  /** The newest known incarnation. */
  readonly incarnation: number
  /** The two incarnations for which our lanes were compared with the peer's cursors. */
  readonly reconciledOwn: number | null
  readonly reconciledPeer: number | null
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

const SELF_COLUMNS = columns<Self>({ party: 'text', incarnation: 'integer' })

export async function readSelf(read: Read): Promise<Self | null> {
  const [row] = await runStatement(read, 'select party, incarnation from bus.self', [], SELF_COLUMNS)
  return row ?? null
}

/**
 * The new number is also above every number that this party had after the backup was taken, which this database does
 * not know: it is the time, unless the clock went backwards.
 */
const RAISE = `
update bus.self set incarnation = greatest(incarnation + 1, $1), raised_at = $2 returning incarnation`
const RAISE_COLUMNS = columns({ incarnation: 'integer' })

const FORGET_PROGRESS = `
update bus.peer set held = null, held_at = null, exchanged_key = null, exchanged_incarnation = null`

export async function raiseSelf(tx: Tx, now: Instant): Promise<number> {
  // Tells that are being written now end under the old number; none begins before this transaction has ended.
  await runStatement(tx, 'lock table bus.lane in exclusive mode', [])
  const [row] = await runStatement(tx, RAISE, [now, formatInstant(now)], RAISE_COLUMNS)
  if (row === undefined) throw new Error('this database has never joined the bus, so it has no incarnation to raise')
  await runStatement(tx, FORGET_PROGRESS, [])
  return row.incarnation
}

/** Both parties of a link. */
export interface Session {
  readonly own: number
  readonly peer: Peer
}

const SESSION = `
select self.incarnation as own, peer.incarnation, reconciled_own, reconciled_peer, exchanged_key, exchanged_incarnation, held
from bus.self cross join bus.peer where peer.party = $1`
const PEER_TYPES = {
  incarnation: 'integer',
  reconciled_own: 'integer?',
  reconciled_peer: 'integer?',
  exchanged_key: 'text?',
  exchanged_incarnation: 'integer?',
  held: 'text?',
} as const
const SESSION_COLUMNS = columns<PeerRow & { readonly own: number }>({ own: 'integer', ...PEER_TYPES })

/** Null until this database has joined the bus and has met the peer. */
export async function readSession(read: Read, party: Party): Promise<Session | null> {
  const [row] = await runStatement(read, SESSION, [party], SESSION_COLUMNS)
  return row === undefined ? null : { own: row.own, peer: peerOf(row) }
}

/** Locks the session against changes until the transaction ends; shared with other holders. */
export async function shareSession(tx: Tx, party: Party): Promise<Session | null> {
  const [row] = await runStatement(tx, `${SESSION} for share of peer`, [party], SESSION_COLUMNS)
  return row === undefined ? null : { own: row.own, peer: peerOf(row) }
}

const PEER = `
select incarnation, reconciled_own, reconciled_peer, exchanged_key, exchanged_incarnation, held
from bus.peer where party = $1`
const PEER_COLUMNS = columns<PeerRow>(PEER_TYPES)

export async function readPeer(read: Read, party: Party): Promise<Peer | null> {
  const [row] = await runStatement(read, PEER, [party], PEER_COLUMNS)
  return row === undefined ? null : peerOf(row)
}

export async function lockPeer(tx: Tx, party: Party): Promise<Peer | null> {
  const [row] = await runStatement(tx, `${PEER} for update`, [party], PEER_COLUMNS)
  return row === undefined ? null : peerOf(row)
}

const MEET = `
insert into bus.peer as peer (party, incarnation) values ($1, $2)
on conflict (party) do update
  set incarnation = excluded.incarnation, held = null, held_at = null, exchanged_key = null, exchanged_incarnation = null
  where peer.incarnation < excluded.incarnation`

/** Records a peer's newer incarnation, which also releases a hold. */
export async function meetPeer(tx: Tx, party: Party, incarnation: number): Promise<void> {
  await runStatement(tx, MEET, [party, incarnation])
}

const HOLD = `update bus.peer set held = $2, held_at = $3 where party = $1 and held is null returning party`

/** Whether it was not held before. */
export async function holdPeer(tx: Tx, party: Party, reason: string, now: Instant): Promise<boolean> {
  const rows = await runStatement(tx, HOLD, [party, reason, formatInstant(now)])
  return rows.length > 0
}

const PROGRESS = `update bus.peer set exchanged_key = $2, exchanged_incarnation = $3 where party = $1`

export async function recordExchanged(tx: Tx, party: Party, upTo: LanePosition): Promise<void> {
  await runStatement(tx, PROGRESS, [party, upTo.key, upTo.incarnation])
}

const RECORD_RECONCILED = `
update bus.peer set reconciled_own = $2, reconciled_peer = $3, exchanged_key = null, exchanged_incarnation = null
where party = $1`

export async function recordReconciled(tx: Tx, party: Party, own: number, peer: number): Promise<void> {
  await runStatement(tx, RECORD_RECONCILED, [party, own, peer])
}

const HELD = `select party, held as reason, held_at::text as since from bus.peer where held is not null order by party`
const HELD_COLUMNS = columns<HeldPeer>({ party: 'text', reason: 'text', since: 'text' })

export async function readHeldPeers(read: Read): Promise<readonly HeldPeer[]> {
  return runStatement(read, HELD, [], HELD_COLUMNS)
}

function peerOf(row: PeerRow): Peer {
  const { exchanged_key: key, exchanged_incarnation: incarnation } = row
  return {
    incarnation: row.incarnation,
    reconciledOwn: row.reconciled_own,
    reconciledPeer: row.reconciled_peer,
    exchanged: key === null || incarnation === null ? FIRST_POSITION : { key, incarnation },
    held: row.held,
  }
}

interface PeerRow {
  readonly incarnation: number
  readonly reconciled_own: number | null
  readonly reconciled_peer: number | null
  readonly exchanged_key: string | null
  readonly exchanged_incarnation: number | null
  readonly held: string | null
}
