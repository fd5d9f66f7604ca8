import type { ClientId, ClientKind, ServiceId, UserId } from '@sealpost/kernel'
import { type Database, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { Client, ClientName, ClientState } from '../model.ts'

const CLIENT = `c.company_id as "companyId", c.id, c.client_id as "clientId", c.kind, c.service_id as "serviceId", c.name,
  c.purpose, c.capabilities, c.redirect_uris as "redirectUris", c.is_confidential as "isConfidential",
  c.allows_detached as "allowsDetached", c.rev::float8 as rev, c.state, round(extract(epoch from c.created_at) * 1000)::float8 as "createdAt"`

export async function insertClient(tx: Tx, client: Client): Promise<void> {
  await runStatement(
    tx,
    `insert into clients.client (company_id, id, client_id, kind, service_id, name, purpose, capabilities, redirect_uris,
      is_confidential, allows_detached, rev, state, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, to_timestamp($14 / 1000.0))`,
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
      client.allowsDetached,
      client.rev,
      client.state,
      client.createdAt,
    ],
  )
}

/** In any state, and of any kind unless `kind` names one. */
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

/** FOR UPDATE: the answers of two changes are applied one after the other. */
export async function lockClient(tx: Tx, { companyId, clientId }: ClientName): Promise<Client | null> {
  const [row] = await runStatement<Client>(
    tx,
    `select ${CLIENT} from clients.client c where c.company_id = $1 and c.client_id = $2 for update`,
    [companyId, clientId],
  )
  return row ?? null
}

/** The live data client of a service. */
export async function findDataClient(read: Read, companyId: UserId, serviceId: ServiceId): Promise<Client | null> {
  const [row] = await runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and c.service_id = $2 and c.kind = 'svc' and c.state = 'live'`,
    [companyId, serviceId],
  )
  return row ?? null
}

/** Live clients of a kind, oldest first. */
export function listClients(
  read: Read,
  companyId: UserId,
  kind: ClientKind,
  { after, offset, limit }: Slice,
): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and c.kind = $2 and c.state = 'live' and ($3::uuid is null or c.id > $3)
    order by c.id offset $4 limit $5`,
    [companyId, kind, after, offset, limit],
  )
}

/** A company has tens of clients at most, so counting them is cheap. */
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

export type ClientFacts = Pick<
  Client,
  'name' | 'serviceId' | 'capabilities' | 'redirectUris' | 'allowsDetached' | 'rev'
>

export async function updateFacts(tx: Tx, { companyId, clientId }: ClientName, facts: ClientFacts): Promise<void> {
  await runStatement(
    tx,
    `update clients.client set name = $3, service_id = $4, capabilities = $5, redirect_uris = $6, rev = $7,
      allows_detached = $8
    where company_id = $1 and client_id = $2`,
    [
      companyId,
      clientId,
      facts.name,
      facts.serviceId,
      facts.capabilities,
      facts.redirectUris,
      facts.rev,
      facts.allowsDetached,
    ],
  )
}

/** Its purpose, app settings and pending changes are deleted with it. */
export async function deleteClientRow(tx: Tx, { companyId, clientId }: ClientName): Promise<void> {
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

/** The data client of a service, or all clients of the company when `serviceId` is null; in any state. */
export function listOwnedClients(
  read: Read,
  companyId: UserId,
  serviceId: ServiceId | null,
): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c
    where c.company_id = $1 and ($2::uuid is null or (c.service_id = $2 and c.kind = 'svc'))`,
    [companyId, serviceId],
  )
}

const BATCH = 100

/** All clients of the region in any state, in the order of their ids: for the commands of an operator. */
export async function* iterateClients(database: Database): AsyncGenerator<Client> {
  let after: ClientId | null = null
  do {
    const page: readonly Client[] = await readBatch(database, after)
    yield* page
    after = page.at(-1)?.clientId ?? null
  } while (after !== null)
}

function readBatch(database: Database, after: ClientId | null): Promise<readonly Client[]> {
  return database.read((read) => listAllClients(read, after, BATCH))
}

function listAllClients(read: Read, after: ClientId | null, limit: number): Promise<readonly Client[]> {
  return runStatement<Client>(
    read,
    `select ${CLIENT} from clients.client c where $1::text is null or c.client_id > $1 order by c.client_id limit $2`,
    [after, limit],
  )
}

/** Of those that are clients of the company, in any state. */
export async function findClientNames(
  read: Read,
  companyId: UserId,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await runStatement<{ id: string; name: string }>(
    read,
    'select c.client_id as id, c.name from clients.client c where c.company_id = $1 and c.client_id = any($2::text[])',
    [companyId, clientIds],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
