import type { Attestation } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { StoredValue, VaultContent, WrittenValue } from '../model.ts'
import { attestationParameters, readStoredValue, type ValueRow } from './value-row.ts'

const COLUMNS = `account_id as "accountId", field_id as "fieldId", rev::float8 as rev, is_private as "isPrivate", kind,
  content, object_key as "objectKey", sha256, bytes, form, call_sha256 as "callSha256",
  verified_hash as "verifiedHash", verified_salt as "verifiedSalt", verified_method as "verifiedMethod",
  verified_provider as "verifiedProvider", verification_id as "verificationId", verified_statement as "verifiedStatement",
  (extract(epoch from verified_at) * 1000)::float8 as "verifiedAt",
  (extract(epoch from verified_expires_at) * 1000)::float8 as "verifiedExpiresAt",
  (extract(epoch from updated_at) * 1000)::float8 as "updatedAt"`

const FIND_VALUE = `select ${COLUMNS} from vault.value where account_id = $1 and field_id = $2`

export async function findValueRow(read: Read, accountId: UserId, fieldId: FieldId): Promise<WrittenValue | null> {
  const [row] = await runStatement<ValueRow>(read, FIND_VALUE, [accountId, fieldId])
  return row === undefined ? null : readStoredValue(row)
}

/** FOR UPDATE: no other transaction changes the value or a slot that follows it. See [Note: value lock]. */
export async function lockValueRow(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<WrittenValue | null> {
  const [row] = await runStatement<ValueRow>(tx, `${FIND_VALUE} for update`, [accountId, fieldId])
  return row === undefined ? null : readStoredValue(row)
}

export async function listValueRows(
  read: Read,
  accountId: UserId,
  { after, offset, limit }: Slice,
): Promise<readonly StoredValue[]> {
  const rows = await runStatement<ValueRow>(
    read,
    `select ${COLUMNS} from vault.value where account_id = $1 and ($2::uuid is null or field_id > $2)
    order by field_id offset $3 limit $4`,
    [accountId, after, offset, limit],
  )
  return rows.map(readStoredValue)
}

/** Values that a provider has verified against an identity document. */
export async function listAttestedByIdentity(read: Read, accountId: UserId): Promise<readonly StoredValue[]> {
  const rows = await runStatement<ValueRow>(
    read,
    `select ${COLUMNS} from vault.value
    where account_id = $1 and verified_hash is not null and verified_method in ('id_document', 'eid')`,
    [accountId],
  )
  return rows.map(readStoredValue)
}

export interface NewValue {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly isPrivate: boolean
  readonly content: VaultContent
  readonly callSha256: string
  readonly attestation: Attestation | null
  readonly at: Instant
}

/** The first value of a field; null when a concurrent transaction inserted one. Answers the rev. */
export async function insertValue(tx: Tx, value: NewValue): Promise<number | null> {
  const [row] = await runStatement<{ rev: number }>(
    tx,
    `insert into vault.value (account_id, field_id, is_private, kind, content, object_key, sha256, bytes, form,
      call_sha256, updated_at, rev)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0), nextval('vault.value_rev'))
    on conflict (account_id, field_id) do nothing returning rev::float8 as rev`,
    writtenParameters(value),
  )
  return row?.rev ?? null
}

/** The row is locked and exists. Answers the new rev. */
export async function replaceValue(tx: Tx, value: NewValue): Promise<number> {
  const [row] = await runStatement<{ rev: number }>(
    tx,
    `update vault.value set is_private = $3, kind = $4, content = $5, object_key = $6, sha256 = $7, bytes = $8, form = $9,
      call_sha256 = $10, updated_at = to_timestamp($11 / 1000.0), rev = nextval('vault.value_rev')
    where account_id = $1 and field_id = $2 returning rev::float8 as rev`,
    writtenParameters(value),
  )
  if (row === undefined) throw new Error(`no value of field ${value.fieldId} to replace`)
  await setAttestation(tx, value, value.attestation)
  return row.rev
}

function writtenParameters(value: NewValue): readonly unknown[] {
  const { content } = value
  const isObject = content.kind === 'object'
  return [
    value.accountId,
    value.fieldId,
    value.isPrivate,
    content.kind,
    isObject ? null : textOf(content),
    isObject ? content.objectKey : null,
    isObject ? content.sha256 : null,
    isObject ? content.bytes : null,
    isObject ? content.form : null,
    value.callSha256,
    value.at,
  ]
}

function textOf(content: Exclude<VaultContent, { readonly kind: 'object' }>): string {
  return content.kind === 'sealed' ? content.wrapper : content.text
}

/** Changes neither the value nor its rev and time. */
export async function setAttestation(
  tx: Tx,
  { accountId, fieldId }: Pick<StoredValue, 'accountId' | 'fieldId'>,
  attestation: Attestation | null,
): Promise<void> {
  await runStatement(
    tx,
    `update vault.value set verified_hash = $3, verified_salt = $4, verified_at = to_timestamp($5 / 1000.0),
      verified_expires_at = to_timestamp($6 / 1000.0), verified_method = $7, verified_provider = $8, verification_id = $9,
      verified_statement = $10
    where account_id = $1 and field_id = $2`,
    [accountId, fieldId, ...attestationParameters(attestation)],
  )
}

export async function deleteValue(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<void> {
  await runStatement(tx, 'delete from vault.value where account_id = $1 and field_id = $2', [accountId, fieldId])
}

/** Answers the keys of the objects of the deleted values. */
export async function deleteAllValues(tx: Tx, accountId: UserId): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ objectKey: ObjectKey | null }>(
    tx,
    'delete from vault.value where account_id = $1 returning object_key as "objectKey"',
    [accountId],
  )
  return rows.flatMap(({ objectKey }) => (objectKey === null ? [] : [objectKey]))
}

/** The values whose attestation has expired; across accounts, for upkeep. */
export function listExpiredAttestations(
  read: Read,
  now: Instant,
  limit: number,
): Promise<readonly Pick<StoredValue, 'accountId' | 'fieldId'>[]> {
  return runStatement<Pick<StoredValue, 'accountId' | 'fieldId'>>(
    read,
    `select account_id as "accountId", field_id as "fieldId" from vault.value
    where verified_expires_at <= to_timestamp($1 / 1000.0) order by verified_expires_at limit $2`,
    [now, limit],
  )
}
