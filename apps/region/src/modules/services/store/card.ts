import type { FieldId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { ServiceName } from '../model.ts'

/** In the order of the card. */
export async function listShareFields(read: Read, { companyId, serviceId }: ServiceName): Promise<readonly FieldId[]> {
  const rows = await runStatement<{ id: FieldId }>(
    read,
    `select field_id as id from services.share_field where company_id = $1 and service_id = $2 order by place`,
    [companyId, serviceId],
  )
  return rows.map(({ id }) => id)
}

export async function replaceShareFields(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  fields: readonly FieldId[],
): Promise<void> {
  const sql = 'delete from services.share_field where company_id = $1 and service_id = $2'
  await runStatement(tx, sql, [companyId, serviceId])
  await runStatement(
    tx,
    `insert into services.share_field (company_id, service_id, field_id, place)
    select $1, $2, field_id, place from unnest($3::uuid[]) with ordinality as given (field_id, place)`,
    [companyId, serviceId, fields],
  )
}

/** Oldest first. */
export async function listSharePhotos(read: Read, { companyId, serviceId }: ServiceName): Promise<readonly string[]> {
  const rows = await runStatement<{ id: string }>(
    read,
    `select photo_id as id from services.share_photo where company_id = $1 and service_id = $2
    order by added_at, photo_id`,
    [companyId, serviceId],
  )
  return rows.map(({ id }) => id)
}

export async function insertSharePhoto(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  photoId: string,
  at: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `insert into services.share_photo (company_id, service_id, photo_id, added_at)
    values ($1, $2, $3, to_timestamp($4 / 1000.0)) on conflict (service_id, photo_id) do nothing`,
    [companyId, serviceId, photoId, at],
  )
}

/** False when the card did not show it. */
export async function deleteSharePhoto(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  photoId: string,
): Promise<boolean> {
  const sql = `delete from services.share_photo where company_id = $1 and service_id = $2 and photo_id = $3 returning photo_id`
  return (await runStatement(tx, sql, [companyId, serviceId, photoId])).length === 1
}

export async function isPhotoShared(
  read: Read,
  { companyId, serviceId }: ServiceName,
  photoId: string,
): Promise<boolean> {
  const sql = `select 1 from services.share_photo where company_id = $1 and service_id = $2 and photo_id = $3`
  return (await runStatement(read, sql, [companyId, serviceId, photoId])).length === 1
}

/** The services of the company whose card shows the field. */
export async function listServicesWithField(
  read: Read,
  companyId: UserId,
  fieldId: FieldId,
): Promise<readonly ServiceId[]> {
  const rows = await runStatement<{ id: ServiceId }>(
    read,
    'select service_id as id from services.share_field where company_id = $1 and field_id = $2',
    [companyId, fieldId],
  )
  return rows.map(({ id }) => id)
}

export async function listServicesWithPhoto(
  read: Read,
  companyId: UserId,
  photoId: string,
): Promise<readonly ServiceId[]> {
  const rows = await runStatement<{ id: ServiceId }>(
    read,
    'select service_id as id from services.share_photo where company_id = $1 and photo_id = $2',
    [companyId, photoId],
  )
  return rows.map(({ id }) => id)
}
