import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import { columns, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { OwnField } from '../model.ts'

const FIELD = 'id, slug, label, type, usertype, false as "isSystem", owner_id as owner'
const FIELD_ROW = columns<OwnField>({
  id: 'uuid',
  slug: 'text',
  label: 'text',
  type: 'text',
  usertype: 'text',
  isSystem: 'boolean',
  owner: 'uuid',
})
const FIND = `select ${FIELD} from registry.contact_field where owner_id = $1 and id = $2`

/** Oldest first, without paging: an account has few. */
export function listOwnFields(read: Read, owner: UserId): Promise<readonly OwnField[]> {
  const sql = `select ${FIELD} from registry.contact_field where owner_id = $1 order by id`
  return runStatement(read, sql, [owner], FIELD_ROW)
}

export async function findOwnField(read: Read, owner: UserId, id: FieldId): Promise<OwnField | null> {
  const [row] = await runStatement(read, FIND, [owner, id], FIELD_ROW)
  return row ?? null
}

/** FOR SHARE, before a value of the field is stored. */
export async function lockOwnFieldForShare(tx: Tx, owner: UserId, id: FieldId): Promise<OwnField | null> {
  const [row] = await runStatement(tx, `${FIND} for share`, [owner, id], FIELD_ROW)
  return row ?? null
}

/** FOR UPDATE, before the field is changed or deleted: waits for transactions that store a value of it. */
export async function lockOwnField(tx: Tx, owner: UserId, id: FieldId): Promise<OwnField | null> {
  const [row] = await runStatement(tx, `${FIND} for update`, [owner, id], FIELD_ROW)
  return row ?? null
}

/** Serializes additions and renames per account: slugs and their number are checked against all rows. */
export async function lockSlugs(tx: Tx, owner: UserId): Promise<void> {
  await runStatement(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`registry.contact_field ${owner}`])
}

/** False when another field of the account has the slug. */
export async function insertOwnField(tx: Tx, field: OwnField, at: Instant): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `insert into registry.contact_field (owner_id, id, slug, label, type, usertype, created_at)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0)) on conflict do nothing returning id`,
    [field.owner, field.id, field.slug, field.label, field.type, field.usertype, at],
  )
  return rows.length === 1
}

/** False when another field of the account has the slug. */
export async function updateOwnField(tx: Tx, field: OwnField): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update registry.contact_field f set slug = $3, label = $4, type = $5, usertype = $6
    where f.owner_id = $1 and f.id = $2 and not exists (
      select 1 from registry.contact_field o where o.owner_id = $1 and o.slug = $3 and o.id <> $2)
    returning id`,
    [field.owner, field.id, field.slug, field.label, field.type, field.usertype],
  )
  return rows.length === 1
}

export async function deleteOwnField(tx: Tx, owner: UserId, id: FieldId): Promise<void> {
  await runStatement(tx, 'delete from registry.contact_field where owner_id = $1 and id = $2', [owner, id])
}

export async function deleteOwnFields(tx: Tx, owner: UserId): Promise<void> {
  await runStatement(tx, 'delete from registry.contact_field where owner_id = $1', [owner])
}
