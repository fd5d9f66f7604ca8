import type { AskedRow } from '@sealpost/protocol'
import type { UserType } from '../../../account/index.ts'
import type { Mapping } from '../connection.ts'

/** What a service asks of this kind of customer, in its order. */
export function rowsFor(rows: readonly AskedRow[], userType: UserType): readonly AskedRow[] {
  return rows.filter(({ audience }) => audience === 'both' || audience === userType)
}

/** [Note: pending consent] What is asked minus what is decided; derived on both sides and stored on neither. */
export function pendingRows(
  rows: readonly AskedRow[],
  userType: UserType,
  mappings: readonly Pick<Mapping, 'requestFieldId'>[],
): readonly AskedRow[] {
  const decided = new Set<string>(mappings.map(({ requestFieldId }) => requestFieldId))
  return rowsFor(rows, userType).filter(({ id }) => !decided.has(id))
}

export function isMandatory({ mandatory_provide, mandatory_connected }: AskedRow): boolean {
  return mandatory_provide || mandatory_connected
}

/** The mandatory rows that nobody decided on, as slugs. */
export function missingAtConnect(
  rows: readonly AskedRow[],
  userType: UserType,
  decided: ReadonlySet<string>,
): readonly string[] {
  return rowsFor(rows, userType)
    .filter((row) => isMandatory(row) && !decided.has(row.id))
    .map(({ slug }) => slug)
}
