import type { TObject } from 'typebox'

/**
 * When queued events of one family agree in all `by` members, only the latest is delivered. Live
 * deliveries never collapse. `request_field_id` is stored with an event and never delivered.
 */
export interface CollapseRule {
  readonly family: 'field' | 'document_status' | 'connection_request' | 'challenge'
  readonly by: readonly string[]
}

export interface EventEntry {
  /** When it occurs, for the docs. */
  readonly about: string
  readonly schema: TObject
  readonly collapse: CollapseRule | null
}

/** The slot is the request row: a slug may pass from a removed row to a new one. */
export const perField = { family: 'field', by: ['connection_id', 'request_field_id'] } as const satisfies CollapseRule
export const perDocument = { family: 'document_status', by: ['document_id'] } as const satisfies CollapseRule
export const perAskedPerson = { family: 'connection_request', by: ['service_id', 'person_user_id'] } as const
export const perChallengedPerson = { family: 'challenge', by: ['service_id', 'person_user_id'] } as const

/** Equal keys in one channel collapse to the later event; null never collapses. */
export function collapseKey(
  rule: CollapseRule | null,
  members: Readonly<Record<string, string | null | undefined>>,
): string | null {
  if (rule === null) return null
  return JSON.stringify([rule.family, ...rule.by.map((name) => presentMember(members, name))])
}

function presentMember(members: Readonly<Record<string, string | null | undefined>>, name: string): string {
  const value = members[name]
  if (typeof value !== 'string') throw new Error(`an event that collapses by ${name} has no ${name}`)
  return value
}
