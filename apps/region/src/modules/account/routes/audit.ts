import { formatInstant, type UserId } from '@sealpost/kernel'
import { listAudit, type PageQueryText } from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import type { AccountNeeds } from '../operations.ts'
import { invalidPage, readPage } from '../paging.ts'
import { countAudit, listAuditRows } from '../store/audit.ts'

const CURSOR = /^[1-9][0-9]{0,8}$/

export function bindAuditRoutes(bind: BindRoute, needs: AccountNeeds): void {
  bind({ operation: listAudit, handle: ({ caller, query }) => listPage(needs, caller.accountId, query) })
}

async function listPage({ database }: AccountNeeds, companyId: UserId, query: PageQueryText) {
  const { limit, from } = readPage(query)
  const start =
    'cursor' in from ? { before: readCursor(from.cursor), offset: 0 } : { before: null, offset: from.offset }
  const { rows, total } = await database.read(async (read) => ({
    rows: await listAuditRows(read, companyId, { ...start, limit: limit + 1 }),
    total: await countAudit(read, companyId),
  }))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    total,
    items: page.map(({ seq, actorId, action, ref, at }) => ({
      id: String(seq),
      actor_id: actorId,
      action,
      ref,
      at: formatInstant(at),
    })),
    next_cursor: rows.length > limit && last !== undefined ? String(last.seq) : null,
  }
}

function readCursor(text: string): number {
  if (!CURSOR.test(text)) throw invalidPage('/cursor', 'is not a cursor of this list')
  return Number(text)
}
