import { type Registry, resolveType } from '@sealpost/field-types'
import type { AskedRow } from '@sealpost/protocol'
import type { Audience, RequestRow } from '../../../services/index.ts'
import type { CustomerType, KnownRows } from '../model.ts'

/** Whether a service connects with such a customer, or a request row asks one. */
export function isAsked({ audience }: { readonly audience: Audience }, customerType: CustomerType): boolean {
  return audience === 'both' || audience === customerType
}

/** A type that is not in the registry, such as `plugin`, is text. */
export function laneOf(registry: Registry, { type }: Pick<RequestRow, 'type'>): AskedRow['lane'] {
  return resolveType(registry, type).lane ?? 'inline'
}

export function arrangeRows(all: readonly RequestRow[], rev: number): KnownRows {
  return {
    rev,
    all,
    byId: new Map(all.map((row) => [row.id, row])),
    asked: {
      person: all.filter((row) => isAsked(row, 'person')),
      company: all.filter((row) => isAsked(row, 'company')),
    },
  }
}
