import { type Instant, instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'

export const MAIL_CHANNEL = 'sealpost_mail'

/** A row of the outbox, claimed by this process until its lease ends. */
export interface WaitingMail {
  readonly id: string
  readonly sealed: Sealed
  readonly queuedAt: Instant
  readonly attempts: number
}

interface Row {
  readonly id: string
  readonly keyId: string
  readonly bytes: Uint8Array
  readonly queuedMs: number
  readonly attempts: number
}

/** NOTIFY is sent at the commit, so a woken worker finds the row. */
export async function insertMail(tx: Tx, id: string, sealed: Sealed, now: Instant): Promise<void> {
  await runStatement(
    tx,
    `with put as (
      insert into mail.outbox (id, key_id, sealed, queued_at, due_at)
      values ($1, $2, $3, to_timestamp($4 / 1000.0), to_timestamp($4 / 1000.0)) returning id)
    select pg_notify('${MAIL_CHANNEL}', '') from put`,
    [id, sealed.keyId, sealed.bytes, now],
  )
}

/** Leases due mails that no other worker has leased. [Note: leases by the database's clock] */
export async function claimMails(tx: Tx, now: Instant, most: number, leaseMs: number): Promise<readonly WaitingMail[]> {
  const rows = await runStatement<Row>(
    tx,
    `update mail.outbox o
    set lease_until = clock_timestamp() + $3 * interval '1 millisecond', attempts = o.attempts + 1
    where o.id in (
      select id from mail.outbox
      where due_at <= to_timestamp($1 / 1000.0) and (lease_until is null or lease_until < clock_timestamp())
      order by due_at limit $2 for update skip locked)
    returning o.id, o.key_id as "keyId", o.sealed as bytes, extract(epoch from o.queued_at)::float8 * 1000 as "queuedMs",
      o.attempts`,
    [now, most, leaseMs],
  )
  return rows.map(({ id, keyId, bytes, queuedMs, attempts }) => ({
    id,
    sealed: { keyId, bytes },
    queuedAt: instant(queuedMs),
    attempts,
  }))
}

export async function removeMail(tx: Tx, id: string): Promise<void> {
  await runStatement(tx, 'delete from mail.outbox where id = $1', [id])
}

export async function postponeMail(tx: Tx, id: string, dueAt: Instant): Promise<void> {
  await runStatement(
    tx,
    'update mail.outbox set due_at = to_timestamp($2 / 1000.0), lease_until = null where id = $1',
    [id, dueAt],
  )
}

/** Queued mails under other keys than this one, by id. */
export async function listMailsUnderOtherKeys(
  read: Read,
  keyId: string,
  afterId: string,
  most: number,
): Promise<readonly { readonly id: string; readonly sealed: Sealed }[]> {
  const rows = await runStatement<{ id: string; keyId: string; bytes: Uint8Array }>(
    read,
    `select id, key_id as "keyId", sealed as bytes from mail.outbox
    where key_id <> $1 and id > $2 order by id limit $3`,
    [keyId, afterId, most],
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
