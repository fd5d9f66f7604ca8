import { type PageQueryText, parsePageQuery } from '@sealpost/protocol'
import { wrongMember } from './refusals.ts'
import type { Device } from './store/devices.ts'

export interface DevicePage {
  readonly total: number
  readonly items: readonly Device[]
  readonly nextCursor: string | null
}

/** An account has few devices, so they are read at once and cut here; the cursor is the last id of a page. */
export function pageOfDevices(devices: readonly Device[], query: PageQueryText): DevicePage {
  const page = parsePageQuery(query)
  if (!page.ok) throw wrongMember(`/query${page.refusal.path}`, page.refusal.message)
  const { limit, from } = page.value
  const rest = 'cursor' in from ? devices.filter(({ id }) => id > from.cursor) : devices.slice(from.offset)
  const items = rest.slice(0, limit)
  const nextCursor = rest.length > limit ? (items.at(-1)?.id ?? null) : null
  return { total: devices.length, items, nextCursor }
}
