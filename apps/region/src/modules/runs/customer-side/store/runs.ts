import type { ConnectionId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import { type RunCopy, type RunSignature, runSignature, type RunStart, type RunState } from '@sealpost/protocol'
import type { CustomerAnswer, CustomerRun, RunName } from '../model.ts'

const RUN = `account_id as "accountId", id, user_type as "userType", connection_id as "connectionId",
  company_id as "companyId", company_region as "companyRegion", service_id as "serviceId", company_code as "companyCode",
  service_code as "serviceCode", start, state`

type RunRow = Omit<CustomerRun, 'start'> & { readonly start: string } & Record<string, unknown>

function readRow(row: RunRow): CustomerRun {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this store
  return { ...row, start: JSON.parse(row.start) as RunStart }
}

export async function insertRun(tx: Tx, run: CustomerRun): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_customer.run (account_id, id, user_type, connection_id, company_id, company_region, service_id,
      company_code, service_code, start, state, rev)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      run.accountId,
      run.id,
      run.userType,
      run.connectionId,
      run.companyId,
      run.companyRegion,
      run.serviceId,
      run.companyCode,
      run.serviceCode,
      JSON.stringify(run.start),
      JSON.stringify(run.state),
      run.state.rev,
    ],
  )
}

/** State and start, which loses the customer's values when the data is deleted. Requires the lock. */
export async function updateRun(tx: Tx, { accountId, id, start, state }: CustomerRun): Promise<void> {
  await runStatement(
    tx,
    'update flows_customer.run set start = $3, state = $4, rev = $5 where account_id = $1 and id = $2',
    [accountId, id, JSON.stringify(start), JSON.stringify(state), state.rev],
  )
}

export async function findRun(read: Read, { accountId, id }: RunName): Promise<CustomerRun | null> {
  const sql = `select ${RUN} from flows_customer.run where account_id = $1 and id = $2`
  const [row] = await runStatement<RunRow>(read, sql, [accountId, id])
  return row === undefined ? null : readRow(row)
}

/** FOR UPDATE, after the connection. */
export async function lockRun(tx: Tx, { accountId, id }: RunName): Promise<CustomerRun | null> {
  const sql = `select ${RUN} from flows_customer.run where account_id = $1 and id = $2 for update`
  const [row] = await runStatement<RunRow>(tx, sql, [accountId, id])
  return row === undefined ? null : readRow(row)
}

/** Newest first. */
export async function listRuns(
  read: Read,
  accountId: UserId,
  connectionId: ConnectionId,
  limit: number,
): Promise<readonly CustomerRun[]> {
  const rows = await runStatement<RunRow>(
    read,
    `select ${RUN} from flows_customer.run where account_id = $1 and connection_id = $2 order by id desc limit $3`,
    [accountId, connectionId, limit],
  )
  return rows.map(readRow)
}

/** Newest first; of one flow at one connection. */
export async function listRunsOfFlow(
  read: Read,
  accountId: UserId,
  connectionId: ConnectionId,
  flowId: string,
): Promise<readonly CustomerRun[]> {
  const rows = await runStatement<RunRow>(
    read,
    `select ${RUN} from flows_customer.run where account_id = $1 and connection_id = $2
      and (start::jsonb)->>'flow_id' = $3 order by id desc limit 20`,
    [accountId, connectionId, flowId],
  )
  return rows.map(readRow)
}

/** An answer never changes: a repeated one has no effect. */
export async function insertAnswers(
  tx: Tx,
  { accountId, id }: RunName,
  rev: number,
  answers: readonly RunCopy[],
): Promise<void> {
  if (answers.length === 0) return
  await runStatement(
    tx,
    `insert into flows_customer.answer (account_id, run_id, slug, rev, place, value, attested)
    select $1, $2, a.slug, $3, a.place - 1, a.value, a.attested
    from unnest($4::text[], $5::text[], $6::jsonb[]) with ordinality as a (slug, value, attested, place)
    on conflict (account_id, run_id, slug) do nothing`,
    [
      accountId,
      id,
      rev,
      answers.map(({ slug }) => slug),
      answers.map(({ value }) => value),
      answers.map(({ attested }) => (attested === null ? null : JSON.stringify(attested))),
    ],
  )
}

/** In the order in which they were given. */
export function listAnswers(read: Read, { accountId, id }: RunName): Promise<readonly CustomerAnswer[]> {
  return runStatement<CustomerAnswer & Record<string, unknown>>(
    read,
    `select slug, value, attested from flows_customer.answer where account_id = $1 and run_id = $2
    order by rev, place`,
    [accountId, id],
  )
}

export async function deleteAnswers(tx: Tx, { accountId, id }: RunName): Promise<void> {
  await runStatement(tx, 'delete from flows_customer.answer where account_id = $1 and run_id = $2', [accountId, id])
}

export async function deleteRunsOf(tx: Tx, accountId: UserId): Promise<void> {
  await runStatement(tx, 'delete from flows_customer.run where account_id = $1', [accountId])
  await runStatement(tx, 'delete from flows_customer.party_key where account_id = $1', [accountId])
}

/** Keys are never replaced, so the first one stays. */
export async function insertPartyKeys(
  tx: Tx,
  accountId: UserId,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_customer.party_key (account_id, user_id, public_key)
    select $1, k.user_id, k.public_key from unnest($2::uuid[], $3::text[]) as k (user_id, public_key)
    on conflict (account_id, user_id) do nothing`,
    [accountId, Object.keys(keys), Object.values(keys)],
  )
}

/** The keys of the users among these that take part in a run with the account. */
export async function listPartyKeys(
  read: Read,
  accountId: UserId,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const rows = await runStatement<{ userId: UserId; publicKey: string }>(
    read,
    `select user_id as "userId", public_key as "publicKey" from flows_customer.party_key
    where account_id = $1 and user_id = any($2::uuid[])`,
    [accountId, users],
  )
  return new Map(rows.map(({ userId, publicKey }) => [userId, publicKey]))
}

/** The copies of these runs of the account, as their services told of them. */
export async function listRunSignatures(
  read: Read,
  accountId: UserId,
  runs: readonly string[],
): Promise<ReadonlyMap<string, readonly RunSignature[]>> {
  const rows = await runStatement<{ id: string; state: RunState }>(
    read,
    'select id, state from flows_customer.run where account_id = $1 and id = any($2::uuid[])',
    [accountId, runs],
  )
  return new Map(rows.map(({ id, state }) => [id, state.documents.map(runSignature)]))
}
