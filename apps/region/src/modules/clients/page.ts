import { type ClientKind, parseUuid, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type PageQueryText, parsePageQuery, refuse } from '@sealpost/protocol'
import type { Client } from './client.ts'
import { type ClientPage, countClients, listClients } from './store/clients.ts'

export interface PageOf<Item> {
  readonly total: number
  readonly items: Item[]
  readonly next_cursor: string | null
}

/** One page of a company's live clients of a kind, oldest first. */
export async function readClientPage(
  read: Read,
  companyId: UserId,
  kind: ClientKind,
  query: PageQueryText,
): Promise<PageOf<Client>> {
  const page = pageOfQuery(kind, query)
  const found = await listClients(read, companyId, page)
  const items = found.slice(0, page.limit)
  const last = items.at(-1)
  const hasMore = found.length > page.limit && last !== undefined
  return {
    total: await countClients(read, companyId, kind),
    items,
    next_cursor: hasMore ? `${kind}.${last.id}` : null,
  }
}

function pageOfQuery(kind: ClientKind, query: PageQueryText): ClientPage {
  const parsed = parsePageQuery(query)
  if (!parsed.ok) throw invalid(parsed.refusal.path, parsed.refusal.message)
  const { limit, from } = parsed.value
  if ('offset' in from) return { kind, afterId: null, offset: from.offset, limit }
  const [listed, id = ''] = from.cursor.split('.')
  const afterId = listed === kind ? parseUuid(id) : null
  if (afterId === null) throw invalid('/cursor', 'is not a cursor of this list')
  return { kind, afterId, offset: 0, limit }
}

function invalid(path: string, message: string): Error {
  return refuse('request.invalid', { details: [{ path: `/query${path}`, message }] })
}
