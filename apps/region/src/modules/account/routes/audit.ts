import type { UserId } from '@sealpost/kernel'
import { listAudit, type PageQueryText, parsePageQuery } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { invalidQuery } from '../../../platform/page.ts'
import type { AccountContext } from '../context.ts'
import { countAudit, listAuditRows } from '../store/audit.ts'
import { auditEntryToWire } from '../wire.ts'

const CURSOR = /^[1-9][0-9]{0,8}$/

export function bindAuditRoutes(bind: BindRoute, account: AccountContext): void {
  bind({ operation: listAudit, handle: ({ caller, query }) => listEntries(account, caller.accountId, query) })
}

/** Newest first, so the cursor counts down: the sequence number of the last entry. */
async function listEntries({ database }: AccountContext, companyId: UserId, query: PageQueryText) {
  const parsed = parsePageQuery(query)
  if (!parsed.ok) throw invalidQuery(parsed.refusal.path, parsed.refusal.message)
  const { limit, from } = parsed.value
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
    items: page.map(auditEntryToWire),
    next_cursor: rows.length > limit && last !== undefined ? String(last.seq) : null,
  }
}

function readCursor(text: string): number {
  if (!CURSOR.test(text)) throw invalidQuery('/cursor', 'is not a cursor of this list')
  return Number(text)
}
