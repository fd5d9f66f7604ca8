import { listAudit } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { listPage } from '../../../platform/page.ts'
import type { AccountContext } from '../context.ts'
import { type AuditRow, countAudit, listAuditRows } from '../store/audit.ts'
import { auditEntryToWire } from '../wire.ts'

const SEQUENCE = /^[1-9][0-9]{0,8}$/

/** Newest first; the id of an entry is its sequence number, which counts down. */
const entries = {
  name: 'audit',
  idOf: ({ seq }: AuditRow) => String(seq),
  toWire: auditEntryToWire,
  readId: (text: string) => (SEQUENCE.test(text) ? text : null),
}

export function bindAuditRoutes(bind: BindRoute, { database }: AccountContext): void {
  bind({
    operation: listAudit,
    handle: ({ caller: { accountId }, query }) =>
      listPage(
        entries,
        query,
        ({ after, offset, limit }) => {
          const slice = { before: after === null ? null : Number(after), offset, limit }
          return database.read((read) => listAuditRows(read, accountId, slice))
        },
        () => database.read((read) => countAudit(read, accountId)),
      ),
  })
}
