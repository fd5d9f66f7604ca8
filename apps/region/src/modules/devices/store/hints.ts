import type { Instant, UserId } from '@sealpost/kernel'
import { columns, emptyPartition, type Partition, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { NewHint, StoredHint } from '../model.ts'

export const HINT_CHANNEL = 'sealpost_hints'

export interface Head {
  readonly accountId: UserId
  readonly lastSeq: number
  readonly hasSubscriptions: boolean
}

const HEAD_COLUMNS = columns<Head>({ accountId: 'uuid', lastSeq: 'integer', hasSubscriptions: 'boolean' })

/**
 * Numbers the hints of each account in their order, under locks of the heads that last until commit and are taken in the order
 * of the ids. Answers the heads.
 */
export async function insertHints(
  tx: Tx,
  hints: readonly NewHint[],
  { at, partition }: { readonly at: Instant; readonly partition: Partition },
): Promise<readonly Head[]> {
  return runStatement(
    tx,
    `with given as (
      select * from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as g (account_id, kind, object_id, place)),
    counted as (select account_id, count(*) as hints from given group by account_id),
    head as (
      insert into devices.head as h (account_id, last_seq) select account_id, hints from counted order by account_id
      on conflict (account_id) do update set last_seq = h.last_seq + excluded.last_seq
      returning account_id, last_seq, subscriptions),
    added as (
      insert into devices.hint (partition, account_id, seq, kind, object_id, at)
      select $4::smallint, account_id, last_seq - hints + row_number() over (partition by account_id order by place), kind,
        object_id, to_timestamp($5 / 1000.0)
      from given join counted using (account_id) join head using (account_id))
    select account_id as "accountId", last_seq as "lastSeq", subscriptions > 0 as "hasSubscriptions" from head`,
    [hints.map(({ accountId }) => accountId), hints.map(({ kind }) => kind), hints.map(({ id }) => id), partition, at],
    HEAD_COLUMNS,
  )
}

export interface Line {
  readonly life: number
  readonly lastSeq: number
  /** Whether the hint after `afterSeq` is still kept. */
  readonly isKept: boolean
}

const LINE_COLUMNS = columns<Line>({ life: 'integer', lastSeq: 'integer', isKept: 'boolean' })

export async function readLine(read: Read, accountId: UserId, afterSeq: number): Promise<Line> {
  const [line] = await runStatement(
    read,
    `select life, coalesce((select last_seq from devices.head where account_id = $1), 0) as "lastSeq",
      exists (select from devices.hint where account_id = $1 and seq = $2 + 1) as "isKept" from devices.line`,
    [accountId, afterSeq],
    LINE_COLUMNS,
  )
  if (line === undefined) throw new Error('devices.line has no row')
  return line
}

export interface Position {
  readonly accountId: UserId
  readonly seq: number
}

const HINT_COLUMNS = columns<StoredHint>({ accountId: 'uuid', seq: 'integer', kind: 'text', id: 'uuid' })

/** The next hints after each position, at most `most` of each account, in order. */
export async function listHints(
  read: Read,
  positions: readonly Position[],
  most: number,
): Promise<readonly StoredHint[]> {
  return runStatement(
    read,
    `select asked.account_id as "accountId", next.seq, next.kind, next.object_id as id
    from unnest($1::uuid[], $2::bigint[]) as asked (account_id, seq)
    cross join lateral (
      select h.seq, h.kind, h.object_id from devices.hint h
      where h.account_id = asked.account_id and h.seq > asked.seq order by h.seq limit $3) next
    order by asked.account_id, next.seq`,
    [positions.map(({ accountId }) => accountId), positions.map(({ seq }) => seq), most],
    HINT_COLUMNS,
  )
}

/** In a statement of its own: inside of a transaction NOTIFY takes a lock on the whole database until the commit. */
export async function notifyHints(tx: Tx, payloads: readonly string[]): Promise<void> {
  await runStatement(tx, `select pg_notify('${HINT_CHANNEL}', payload) from unnest($1::text[]) payload`, [payloads])
}

export async function emptyHints(tx: Tx, partition: Partition, oldestKept: Instant): Promise<boolean> {
  return emptyPartition(tx, 'devices.hint', partition, oldestKept)
}

export async function raiseLife(tx: Tx): Promise<void> {
  await runStatement(tx, 'update devices.line set life = life + 1', [])
}

export async function deleteHintsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from devices.hint where account_id = $1', [accountId])
  await runStatement(tx, 'delete from devices.head where account_id = $1', [accountId])
}
