import { type Instant, instant } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'

export interface WaitingMail {
  readonly id: string
  readonly sealed: Sealed
  readonly queuedAt: Instant
}

export async function insertMail(tx: Tx, { id, sealed, queuedAt }: WaitingMail): Promise<void> {
  await runStatement(
    tx,
    'insert into mail.outbox (id, key_id, sealed, queued_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))',
    [id, sealed.keyId, sealed.bytes, queuedAt],
  )
}

export async function findMail(read: Read, id: string): Promise<WaitingMail | null> {
  const [row] = await runStatement(
    read,
    `select key_id as "keyId", sealed as bytes, extract(epoch from queued_at)::float8 * 1000 as "queuedMs"
    from mail.outbox where id = $1`,
    [id],
    columns({ keyId: 'text', bytes: 'bytes', queuedMs: 'float' }),
  )
  if (row === undefined) return null
  const { queuedMs, ...sealed } = row
  return { id, sealed, queuedAt: instant(queuedMs) }
}

export async function deleteMail(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, 'delete from mail.outbox where id = $1', [id])
}

export async function deleteMailsBefore(tx: Tx, before: Instant, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from mail.outbox where id in (
      select id from mail.outbox where queued_at < to_timestamp($1 / 1000.0) limit $2) returning 1`,
    [before, limit],
  )
  return rows.length
}

/** Queued mails under other keys than this one, by id. */
export async function listMailsUnderOtherKeys(
  read: Read,
  keyId: string,
  afterId: string,
  most: number,
): Promise<readonly { readonly id: string; readonly sealed: Sealed }[]> {
  const rows = await runStatement(
    read,
    `select id, key_id as "keyId", sealed as bytes from mail.outbox
    where key_id <> $1 and id > $2 order by id limit $3`,
    [keyId, afterId, most],
    columns({ id: 'uuid', keyId: 'text', bytes: 'bytes' }),
  )
  return rows.map(({ id, ...sealed }) => ({ id, sealed }))
}

export async function replaceSeal(tx: Tx, id: string, sealed: Sealed): Promise<void> {
  await runStatement(tx, 'update mail.outbox set key_id = $2, sealed = $3 where id = $1', [
    id,
    sealed.keyId,
    sealed.bytes,
  ])
}
