import type { AuditFilter } from '@sealpost/sdk'

/** Empty texts and 0 days: all of them. */
export interface Filter {
  readonly action: string
  readonly actor: string
  readonly service: string
  readonly days: number
}

export const NO_FILTER: Filter = { action: '', actor: '', service: '', days: 0 }

export function readFilter(query: URLSearchParams): Filter {
  const days = Number(query.get('days') ?? 0)
  return {
    action: query.get('action') ?? '',
    actor: query.get('actor') ?? '',
    service: query.get('service') ?? '',
    days: Number.isInteger(days) && days > 0 && days <= 366 ? days : 0,
  }
}

/** What stands behind the address; empty without a filter. */
export function queryOf({ action, actor, service, days }: Filter): string {
  const chosen = Object.entries({ action, actor, service, days: days === 0 ? '' : String(days) })
  const query = new URLSearchParams(chosen.filter(([, value]) => value !== ''))
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** `from`: the first day of the period, where there is one. */
export function filterOf({ action, actor, service: serviceId, days }: Filter, from: string): AuditFilter {
  return {
    ...(action === '' ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
    ...(serviceId === '' ? {} : { serviceId }),
    ...(days === 0 ? {} : { since: `${from}T00:00:00Z` }),
  }
}

export function actionsOf(words: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(words).toSorted((one, other) => (words[one] ?? '').localeCompare(words[other] ?? ''))
}
