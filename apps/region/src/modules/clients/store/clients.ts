import type { ClientId, ClientKind, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Client, ClientName, ClientState } from '../client.ts'

const CLIENT = `c.company_id as "companyId", c.id, c.client_id as "clientId", c.kind, c.service_id as "serviceId", c.name,
  c.purpose, c.capabilities, c.redirect_uris as "redirectUris", c.is_confidential as "isConfidential",
  c.rev::float8 as rev, c.state, round(extract(epoch from c.created_at) * 1000)::float8 as "createdAt"`

export async function insertClient(tx: Tx, client: Client): Promise<void> {
  await runStatement(
    tx,
    `insert into clients.client (company_id, id, client_id, kind, service_id, name, purpose, capabilities, redirect_uris,
      is_confidential, rev, state, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13 / 1000.0))`,
    [
      client.companyId,
      client.id,
      client.clientId,
      client.kind,
      client.serviceId,
      client.name,
      client.purpose,
      client.capabilities,
      client.redirectUris,
      client.isConfidential,
      client.rev,
      client.state,
      client.createdAt,
    ],
  )
}

/** In any state; `kinds` says which the caller means. */
export async function findClient(
  read: Read,
  { companyId, clientId }: ClientName,
  kind?: ClientKind,
): Promise<Client | null> {
  const [row] = await runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and c.client_id = $2 and ($3::text is null or c.kind = $3)`,
    [companyId, clientId, kind ?? null],
  )
  return row ?? null
}

/** Held until the transaction ends, so that what two acts were answered is applied one after the other. */
export async function lockClient(tx: Tx, { companyId, clientId }: ClientName): Promise<Client | null> {
  const [row] = await runStatement<Client>(
    tx,
    `select ${CLIENT} from clients.client c where c.company_id = $1 and c.client_id = $2 for update`,
    [companyId, clientId],
  )
  return row ?? null
}

/** The data client of a service, once it is live. */
export async function findDataClient(read: Read, companyId: UserId, serviceId: ServiceId): Promise<Client | null> {
  const [row] = await runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and c.service_id = $2 and c.kind = 'svc' and c.state = 'live'`,
    [companyId, serviceId],
  )
  return row ?? null
}

export interface ClientPage {
  readonly kind: ClientKind
  readonly afterId: string | null
  readonly offset: number
  readonly limit: number
}

/** One more than `limit` when others follow. */
export function listClients(
  read: Read,
  companyId: UserId,
  { kind, afterId, offset, limit }: ClientPage,
): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and c.kind = $2 and c.state = 'live' and ($3::uuid is null or c.id > $3)
    order by c.id offset $4 limit $5`,
    [companyId, kind, afterId, offset, limit + 1],
  )
}

/** A company has tens of clients at most, so they are counted as they are. */
export async function countClients(read: Read, companyId: UserId, kind: ClientKind): Promise<number> {
  const [row] = await runStatement<{ total: number }>(
    read,
    `select count(*)::int as total from clients.client where company_id = $1 and kind = $2 and state = 'live'`,
    [companyId, kind],
  )
  return row?.total ?? 0
}

export async function setState(tx: Tx, { companyId, clientId }: ClientName, state: ClientState): Promise<void> {
  await runStatement(tx, 'update clients.client set state = $3 where company_id = $1 and client_id = $2', [
    companyId,
    clientId,
    state,
  ])
}

export type ClientFacts = Pick<Client, 'name' | 'serviceId' | 'capabilities' | 'redirectUris' | 'rev'>

export async function updateFacts(tx: Tx, { companyId, clientId }: ClientName, facts: ClientFacts): Promise<void> {
  await runStatement(
    tx,
    `update clients.client set name = $3, service_id = $4, capabilities = $5, redirect_uris = $6, rev = $7
    where company_id = $1 and client_id = $2`,
    [companyId, clientId, facts.name, facts.serviceId, facts.capabilities, facts.redirectUris, facts.rev],
  )
}

/** What hangs on the client goes with it. */
export async function deleteClient(tx: Tx, { companyId, clientId }: ClientName): Promise<void> {
  await runStatement(tx, 'delete from clients.client where company_id = $1 and client_id = $2', [companyId, clientId])
}

/** False when another client of the company has the purpose. */
export async function takePurpose(tx: Tx, { companyId, clientId }: ClientName, purpose: string): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into clients.purpose as p (company_id, purpose, client_id) values ($1, $2, $3)
    on conflict (company_id, purpose) do update set client_id = p.client_id where p.client_id = excluded.client_id
    returning 1`,
    [companyId, purpose, clientId],
  )
  return rows.length === 1
}

export async function isPurposeTaken(read: Read, companyId: UserId, purpose: string): Promise<boolean> {
  const sql = 'select 1 from clients.purpose where company_id = $1 and purpose = $2'
  return (await runStatement(read, sql, [companyId, purpose])).length > 0
}

/** For those who end with what they belong to: a service, or the whole account when `serviceId` is null. */
export function listEnding(read: Read, companyId: UserId, serviceId: ServiceId | null): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and ($2::uuid is null or (c.service_id = $2 and c.kind = 'svc'))`,
    [companyId, serviceId],
  )
}

/** Every client of the region in the order of their ids, for the commands of an operator. */
export function listAllClients(read: Read, after: ClientId | null, limit: number): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c where $1::text is null or c.client_id > $1 order by c.client_id limit $2`,
    [after, limit],
  )
}

export interface Act extends ClientName {
  readonly id: string
  readonly since: Instant
  readonly sealedSecret: string | null
}

export async function insertAct(tx: Tx, act: Act): Promise<void> {
  await runStatement(
    tx,
    `insert into clients.act (company_id, client_id, id, since, sealed_secret)
    values ($1, $2, $3, to_timestamp($4 / 1000.0), $5)`,
    [act.companyId, act.clientId, act.id, act.since, act.sealedSecret],
  )
}

export async function deleteAct(
  tx: Tx,
  { companyId, clientId, id }: Omit<Act, 'since' | 'sealedSecret'>,
): Promise<void> {
  const sql = 'delete from clients.act where company_id = $1 and client_id = $2 and id = $3'
  await runStatement(tx, sql, [companyId, clientId, id])
}

export async function findSealedSecret(
  read: Read,
  { companyId, clientId }: ClientName,
  id: string,
): Promise<string | null> {
  const [row] = await runStatement<{ sealed_secret: string | null }>(
    read,
    'select sealed_secret from clients.act where company_id = $1 and client_id = $2 and id = $3',
    [companyId, clientId, id],
  )
  return row?.sealed_secret ?? null
}

/** Acts that nobody can be busy with any more, oldest first; across companies, since this is the region's own upkeep. */
export function listActsSince(read: Read, before: Instant, limit: number): Promise<readonly Act[]> {
  return runStatement<Act>(
    read,
    `select company_id as "companyId", client_id as "clientId", id, sealed_secret as "sealedSecret",
      round(extract(epoch from since) * 1000)::float8 as since
    from clients.act where since <= to_timestamp($1 / 1000.0) order by since limit $2`,
    [before, limit],
  )
}

/** Whether somebody may be busy with this client: it has an act that began after that moment. */
export async function hasActSince(read: Read, { companyId, clientId }: ClientName, after: Instant): Promise<boolean> {
  const rows = await runStatement(
    read,
    `select 1 from clients.act where company_id = $1 and client_id = $2 and since > to_timestamp($3 / 1000.0)`,
    [companyId, clientId, after],
  )
  return rows.length > 0
}
