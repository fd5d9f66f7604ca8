import { Empty, formatWhen, useLanguage } from '@sealpost/ui'
import { type Column, DeskSection, Table } from '@sealpost/ui/desk'
import { nowMs, Problem } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AuditView } from '../../worker/commands/audit.ts'
import { actionText, actorText } from '../audit/entry-text.ts'

const SHOWN = 5

export function LatestAudit(): ReactNode {
  const { home: words, audit } = useWords()
  const { language } = useLanguage()
  const read = useRead('listAudit', 'audit', {}, SHOWN)
  const columns: readonly Column<AuditView>[] = [
    { key: 'at', title: audit.when, width: 'medium', cell: ({ at }) => formatWhen(language, at, nowMs()) },
    { key: 'who', title: audit.who, width: 'medium', cell: (entry) => actorText(audit, entry) },
    { key: 'what', title: audit.what, cell: ({ action }) => actionText(audit, action) },
  ]
  return (
    <DeskSection title={words.audit} acts={<a href={href('audit')}>{words.allAudit}</a>}>
      {read.state === 'failed' ? (
        <Problem failure={read.failure} onAgain={read.again} />
      ) : (
        <Table<AuditView>
          label={words.audit}
          columns={columns}
          rows={read.state === 'ready' ? read.value.entries : null}
          keyOf={({ id }) => id}
          nameOf={({ action }) => actionText(audit, action)}
          empty={<Empty>{words.noAudit}</Empty>}
        />
      )}
    </DeskSection>
  )
}
