import type { FieldTypeRow } from '@sealpost/field-types'
import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** In the order in which they were added; unchecked documents for `readRow`. */
export function listOperatorRows(read: Read): Promise<readonly Record<string, unknown>[]> {
  return runStatement(
    read,
    `select type, parent, label, input, lane, "check", options, fields, validation, is_system
    from registry.field_type order by position`,
    [],
  )
}

export async function insertOperatorRow(tx: Tx, row: FieldTypeRow, at: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into registry.field_type
      (type, parent, label, input, lane, "check", options, fields, validation, is_system, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0))`,
    [
      row.type,
      row.parent,
      row.label,
      row.input,
      row.lane,
      row.check,
      jsonOrNull(row.options),
      jsonOrNull(row.fields),
      row.validation,
      row.is_system,
      at,
    ],
  )
}

/** Null until the first row is added. */
export async function findDigest(read: Read): Promise<string | null> {
  const [row] = await runStatement<{ digest: string }>(read, 'select digest from registry.revision', [])
  return row?.digest ?? null
}

/** Serializes additions: each checks its rows against all that were added before. */
export async function lockRevision(tx: Tx): Promise<void> {
  await runStatement(
    tx,
    `insert into registry.revision (is_only, digest) values (true, '')
    on conflict (is_only) do update set digest = registry.revision.digest`,
    [],
  )
}

export async function setDigest(tx: Tx, digest: string): Promise<void> {
  await runStatement(tx, 'update registry.revision set digest = $1', [digest])
}

/** The driver would send a list as a PostgreSQL array. */
function jsonOrNull(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
