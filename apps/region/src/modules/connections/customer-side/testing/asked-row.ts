import type { AskedRow } from '@sealpost/protocol'

/** A live, optional text; its slug is also its id. */
export function askedRow(slug: string, more: Partial<AskedRow> = {}): AskedRow {
  return {
    id: slug,
    slug,
    label: slug,
    type: 'text',
    field_type: {},
    lane: 'inline',
    one_time: false,
    mandatory_provide: false,
    mandatory_connected: false,
    audience: 'both',
    verified: false,
    verified_max_age_days: null,
    plugin: null,
    ...more,
  }
}
