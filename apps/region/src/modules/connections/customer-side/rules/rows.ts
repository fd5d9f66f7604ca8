import { parseUuid, type RequestFieldId } from '@sealpost/kernel'
import type { AskedRow } from '@sealpost/protocol'
import type { UserType } from '../../../account/index.ts'
import type { Mapping } from '../model.ts'

/** The rows that a service asks this type of customer for, in the service's order. */
export function rowsFor(rows: readonly AskedRow[], userType: UserType): readonly AskedRow[] {
  return rows.filter(({ audience }) => audience === 'both' || audience === userType)
}

/** Asked rows without a decision. Both sides derive it and neither stores it. */
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

/** The slugs of mandatory rows without a decision. */
export function missingAtConnect(
  rows: readonly AskedRow[],
  userType: UserType,
  decided: ReadonlySet<string>,
): readonly string[] {
  return rowsFor(rows, userType)
    .filter((row) => isMandatory(row) && !decided.has(row.id))
    .map(({ slug }) => slug)
}

export function rowIdOf({ id }: Pick<AskedRow, 'id'>): RequestFieldId {
  const parsed = parseUuid<RequestFieldId>(id)
  if (parsed === null) throw new Error(`invalid request field id: ${id}`)
  return parsed
}
