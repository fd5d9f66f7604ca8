import type { ConnectionId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../../platform/page.ts'
import type { Copy, CopyName, DocumentId, StoredFile } from '../model.ts'

const COPY = `account_id as "accountId", id, user_type as "userType", connection_id as "connectionId",
  company_id as "companyId", company_region as "companyRegion", service_id as "serviceId", state, value, file,
  content_sha256 as "contentSha256", plain_sha256 as "plainSha256",
  round(extract(epoch from sealed_at) * 1000)::float8 as "sealedAt", content_rev::float8 as "contentRev"`

type CopyRow = Omit<Copy, 'content'> & { readonly value: string | null; readonly file: StoredFile | null }

function readRow({ value, file, ...row }: CopyRow): Copy {
  if (value !== null) return { ...row, content: { value, file: null } }
  if (file === null) throw new Error(`copy ${row.id} has no content`)
  return { ...row, content: { value: null, file } }
}

export async function insertCopy(tx: Tx, copy: Copy): Promise<void> {
  await runStatement(
    tx,
    `insert into documents_customer.copy (account_id, id, user_type, connection_id, company_id, company_region, service_id,
      state, rev, is_acted_on, value, file, content_sha256, plain_sha256, sealed_at, content_rev)
    values ($1, $2, $8, $9, $10, $11, $12, $3, $4, $5, $6, $7, $13, $14, to_timestamp($15::float8 / 1000.0), $16)`,
    [
      ...changingValues(copy),
      copy.userType,
      copy.connectionId,
      copy.companyId,
      copy.companyRegion,
      copy.serviceId,
      ...contentValues(copy),
    ],
  )
}

/** State and content. Requires the lock of the row. */
export async function updateCopy(tx: Tx, copy: Copy): Promise<void> {
  await runStatement(
    tx,
    `update documents_customer.copy set state = $3, rev = $4, is_acted_on = $5, value = $6, file = $7,
      content_sha256 = $8, plain_sha256 = $9, sealed_at = to_timestamp($10::float8 / 1000.0), content_rev = $11
    where account_id = $1 and id = $2`,
    [...changingValues(copy), ...contentValues(copy)],
  )
}

function changingValues({ accountId, id, state, content }: Copy): readonly unknown[] {
  const file = content.file === null ? null : JSON.stringify(content.file)
  return [accountId, id, JSON.stringify(state), state.rev, state.signatures.length > 0, content.value, file]
}

function contentValues({ contentSha256, plainSha256, sealedAt, contentRev }: Copy): readonly unknown[] {
  return [contentSha256, plainSha256, sealedAt, contentRev]
}

export async function findCopy(read: Read, { accountId, id }: CopyName): Promise<Copy | null> {
  const sql = `select ${COPY} from documents_customer.copy where account_id = $1 and id = $2`
  const [row] = await runStatement<CopyRow>(read, sql, [accountId, id])
  return row === undefined ? null : readRow(row)
}

/** Of an output of a run; the first in the line, should the account be bound to several parties. */
export async function findCopyOfRun(
  read: Read,
  accountId: UserId,
  runId: string,
  outputKey: string,
): Promise<Copy | null> {
  const [row] = await runStatement<CopyRow>(
    read,
    `select ${COPY} from documents_customer.copy
    where account_id = $1 and state->>'run_id' = $2 and state->>'output_key' = $3 order by id limit 1`,
    [accountId, runId, outputKey],
  )
  return row === undefined ? null : readRow(row)
}

/** Of the copies of a run, by their ids. */
export async function listStatusesOfRun(
  read: Read,
  accountId: UserId,
  runId: string,
): Promise<ReadonlyMap<string, Copy['state']['status']>> {
  const rows = await runStatement<{ id: string; status: Copy['state']['status'] }>(
    read,
    `select id, state->>'status' as status from documents_customer.copy
    where account_id = $1 and state->>'run_id' = $2`,
    [accountId, runId],
  )
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** FOR UPDATE, after the connection. */
export async function lockCopy(tx: Tx, { accountId, id }: CopyName): Promise<Copy | null> {
  const sql = `select ${COPY} from documents_customer.copy where account_id = $1 and id = $2 for update`
  const [row] = await runStatement<CopyRow>(tx, sql, [accountId, id])
  return row === undefined ? null : readRow(row)
}

/** In the order of ids; `connectionId` null: of all services. */
export async function listCopies(
  read: Read,
  accountId: UserId,
  connectionId: ConnectionId | null,
  { after, offset, limit }: Slice<DocumentId>,
): Promise<readonly Copy[]> {
  const rows = await runStatement<CopyRow>(
    read,
    `select ${COPY} from documents_customer.copy
    where account_id = $1 and ($2::uuid is null or connection_id = $2) and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [accountId, connectionId, after, offset, limit],
  )
  return rows.map(readRow)
}

/** The newest of each connection, without their content. */
export function listNewestCopies(
  read: Read,
  accountId: UserId,
  connections: readonly ConnectionId[],
  limit: number,
): Promise<readonly NewestCopy[]> {
  return runStatement<NewestCopy & Record<string, unknown>>(
    read,
    `select c.connection_id as "connectionId", c.id, c.bytes from unnest($2::uuid[]) as k (id) cross join lateral (
      select connection_id, id, coalesce(octet_length(value), 0) as bytes from documents_customer.copy
      where account_id = $1 and connection_id = k.id order by id desc limit $3) c`,
    [accountId, connections, limit],
  )
}

export interface NewestCopy {
  readonly connectionId: ConnectionId
  readonly id: DocumentId
  readonly bytes: number
}

export async function countCopies(
  read: Read,
  accountId: UserId,
  connections: readonly ConnectionId[],
): Promise<ReadonlyMap<ConnectionId, number>> {
  const rows = await runStatement<{ connectionId: ConnectionId; count: number }>(
    read,
    `select connection_id as "connectionId", count(*)::int as count from documents_customer.copy
    where account_id = $1 and connection_id = any($2::uuid[]) group by connection_id`,
    [accountId, connections],
  )
  return new Map(rows.map(({ connectionId, count }) => [connectionId, count]))
}

export async function findCopies(read: Read, accountId: UserId, ids: readonly DocumentId[]): Promise<readonly Copy[]> {
  const sql = `select ${COPY} from documents_customer.copy where account_id = $1 and id = any($2::uuid[])`
  return (await runStatement<CopyRow>(read, sql, [accountId, ids])).map(readRow)
}

export async function hasCopies(read: Read, accountId: UserId, connectionId: ConnectionId): Promise<boolean> {
  const sql = 'select 1 from documents_customer.copy where account_id = $1 and connection_id = $2 limit 1'
  return (await runStatement(read, sql, [accountId, connectionId])).length > 0
}

type DeletedCopy = { readonly file: StoredFile | null } & Record<string, unknown>

export async function deleteCopy(tx: Tx, { accountId, id }: CopyName): Promise<readonly DeletedCopy[]> {
  const sql = 'delete from documents_customer.copy where account_id = $1 and id = $2 returning file'
  return runStatement<DeletedCopy>(tx, sql, [accountId, id])
}

/** Copies without a signature or acceptance go with their connection. */
export async function deleteUnsigned(
  tx: Tx,
  accountId: UserId,
  connections: readonly ConnectionId[],
): Promise<readonly DeletedCopy[]> {
  return runStatement<DeletedCopy>(
    tx,
    `delete from documents_customer.copy
    where account_id = $1 and connection_id = any($2::uuid[]) and not is_acted_on returning file`,
    [accountId, connections],
  )
}

export async function deleteCopiesOf(tx: Tx, accountId: UserId): Promise<readonly DeletedCopy[]> {
  const sql = 'delete from documents_customer.copy where account_id = $1 returning file'
  return runStatement<DeletedCopy>(tx, sql, [accountId])
}
