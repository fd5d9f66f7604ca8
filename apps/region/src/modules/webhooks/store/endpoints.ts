import type { ServiceId, WebhookId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Sealed } from '@sealpost/sealing'
import type { WebhookName } from '../../feed/index.ts'
import type { ServiceName } from '../../services/index.ts'
import type { EndpointConfig, EndpointRow } from '../model.ts'

const ROW = `company_id as "companyId", service_id as "serviceId", id as "webhookId", url, events, format,
  auth_type as "authType", encrypt_payload as "encryptPayload", is_enabled as "isEnabled", secrets,
  secrets_key_id as "secretsKeyId", last_error as "lastError",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`

/**
 * [Note: the roster] One row per service that has or had webhooks, with their number. Every command on the configuration
 * locks it first, so the commands of one service run one after the other, and concurrent creations keep the limit.
 * Deliveries never lock it. Answers the number of webhooks.
 */
export async function lockRoster(tx: Tx, { companyId, serviceId }: ServiceName): Promise<number> {
  const [row] = await runStatement<{ rows: number }>(
    tx,
    `insert into webhooks.roster as r (company_id, service_id, rows) values ($1, $2, 0)
    on conflict (service_id) do update set rows = r.rows returning rows`,
    [companyId, serviceId],
  )
  return row?.rows ?? 0
}

export async function changeRoster(tx: Tx, { companyId, serviceId }: ServiceName, by: 1 | -1): Promise<void> {
  const sql = 'update webhooks.roster set rows = rows + $3 where company_id = $1 and service_id = $2'
  await runStatement(tx, sql, [companyId, serviceId, by])
}

export async function countEndpoints(read: Read, { companyId, serviceId }: ServiceName): Promise<number> {
  const sql = 'select rows from webhooks.roster where company_id = $1 and service_id = $2'
  const [row] = await runStatement<{ rows: number }>(read, sql, [companyId, serviceId])
  return row?.rows ?? 0
}

export async function insertEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  await runStatement(
    tx,
    `insert into webhooks.endpoint (company_id, service_id, id, url, events, format, auth_type, encrypt_payload, is_enabled,
      secrets, secrets_key_id, last_error, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, to_timestamp($13 / 1000.0))`,
    [...namesOf(row), ...configOf(row), row.secrets, row.secretsKeyId, row.lastError, row.createdAt],
  )
}

/** Writes the settings of the company; `last_error` belongs to the deliveries and stays. */
export async function updateEndpoint(
  tx: Tx,
  name: WebhookName,
  config: EndpointConfig,
  { keyId, bytes }: Sealed,
): Promise<void> {
  await runStatement(
    tx,
    `update webhooks.endpoint set url = $4, events = $5, format = $6, auth_type = $7, encrypt_payload = $8,
      is_enabled = $9, secrets = $10, secrets_key_id = $11
    where company_id = $1 and service_id = $2 and id = $3`,
    [...namesOf(name), ...configOf(config), bytes, keyId],
  )
}

export async function findEndpoint(read: Read, name: WebhookName): Promise<EndpointRow | null> {
  const sql = `select ${ROW} from webhooks.endpoint where company_id = $1 and service_id = $2 and id = $3`
  const [row] = await runStatement<EndpointRow>(read, sql, namesOf(name))
  return row ?? null
}

/** By its id alone, for operators. */
export async function findEndpointById(read: Read, id: WebhookId): Promise<EndpointRow | null> {
  const [row] = await runStatement<EndpointRow>(read, `select ${ROW} from webhooks.endpoint where id = $1`, [id])
  return row ?? null
}

/** Oldest first. */
export function listEndpoints(
  read: Read,
  { companyId, serviceId }: ServiceName,
  { after, offset, limit }: { readonly after: string | null; readonly offset: number; readonly limit: number },
): Promise<readonly EndpointRow[]> {
  return runStatement<EndpointRow>(
    read,
    `select ${ROW} from webhooks.endpoint where company_id = $1 and service_id = $2 and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [companyId, serviceId, after, offset, limit],
  )
}

/** Webhooks of many services in one statement, for the worker. */
export function loadRows(read: Read, names: readonly WebhookName[]): Promise<readonly EndpointRow[]> {
  return runStatement<EndpointRow>(
    read,
    `select ${ROW} from webhooks.endpoint
    where (service_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
    [names.map(({ serviceId }) => serviceId), names.map(({ webhookId }) => webhookId)],
  )
}

export async function deleteEndpoint(tx: Tx, name: WebhookName): Promise<void> {
  const sql = 'delete from webhooks.endpoint where company_id = $1 and service_id = $2 and id = $3'
  await runStatement(tx, sql, namesOf(name))
}

export async function deleteEndpointsOf(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  await runStatement(tx, 'delete from webhooks.endpoint where company_id = $1 and service_id = $2', [
    companyId,
    serviceId,
  ])
  await runStatement(tx, 'delete from webhooks.roster where company_id = $1 and service_id = $2', [
    companyId,
    serviceId,
  ])
}

export interface LastError {
  readonly serviceId: ServiceId
  readonly webhookId: WebhookId
  readonly lastError: string | null
}

/** Locks in the order of ids, so that two workers cannot deadlock. */
export async function setLastErrors(tx: Tx, errors: readonly LastError[]): Promise<void> {
  await runStatement(
    tx,
    `with errors as (
      select * from jsonb_to_recordset($1::jsonb) as t ("serviceId" uuid, "webhookId" uuid, "lastError" text)
    ), locked as (
      select e.service_id, e.id, t."lastError" from webhooks.endpoint e
      join errors t on t."serviceId" = e.service_id and t."webhookId" = e.id
      order by e.service_id, e.id for update of e)
    update webhooks.endpoint e set last_error = h."lastError" from locked h
    where e.service_id = h.service_id and e.id = h.id`,
    [JSON.stringify(errors)],
  )
}

export function listUnderOtherKeys(
  read: Read,
  keyId: string,
  after: string | null,
  limit: number,
): Promise<readonly EndpointRow[]> {
  return runStatement<EndpointRow>(
    read,
    `select ${ROW} from webhooks.endpoint where secrets_key_id <> $1 and ($2::uuid is null or id > $2)
    order by id limit $3`,
    [keyId, after, limit],
  )
}

/** False when a concurrent command changed the secrets or deleted the webhook. */
export async function replaceSecrets(tx: Tx, row: EndpointRow, sealed: Sealed): Promise<boolean> {
  const replaced = await runStatement(
    tx,
    `update webhooks.endpoint set secrets = $5, secrets_key_id = $6
    where company_id = $1 and service_id = $2 and id = $3 and secrets = $4 returning id`,
    [...namesOf(row), row.secrets, sealed.bytes, sealed.keyId],
  )
  return replaced.length > 0
}

function namesOf({ companyId, serviceId, webhookId }: WebhookName): readonly string[] {
  return [companyId, serviceId, webhookId]
}

function configOf(config: EndpointConfig): readonly unknown[] {
  const { url, events, format, authType, encryptPayload, isEnabled } = config
  return [url, events, format, authType, encryptPayload, isEnabled]
}
