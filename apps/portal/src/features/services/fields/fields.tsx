import { Button, Empty } from '@sealpost/ui'
import { SkeletonRows } from '@sealpost/ui/desk'
import { Problem } from '@sealpost/web-app'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PageProps } from '../../../shell/app.tsx'
import { useRead } from '../../../shell/worker.ts'
import { useWords } from '../../../words/index.ts'
import type { AskedRows } from '../../../worker/commands/request-rows.ts'
import { ServicePage } from '../service-page.tsx'
import { Conflict } from './conflict.tsx'
import { isSame, mergeRows } from './difference.ts'
import { Publish } from './publish.tsx'
import { RowForm } from './row-form.tsx'
import { RowTable } from './row-table.tsx'
import { useEditing } from './use-editing.ts'

/** What a service asks its customers for: changed here, compared, and published at once. */
export default function Fields({ params }: PageProps): ReactNode {
  const words = useWords().rows
  const serviceId = params['service'] ?? ''
  const read = useRead('readRows', 'services', serviceId)
  return (
    <ServicePage serviceId={serviceId} here="fields" lead={words.lead}>
      {() =>
        read.state === 'ready' ? (
          <Editor serviceId={serviceId} read={read.value} />
        ) : read.state === 'failed' ? (
          <Problem failure={read.failure} onAgain={read.again} />
        ) : (
          <table aria-busy aria-label={words.title}>
            <tbody>
              <SkeletonRows columns={4} />
            </tbody>
          </table>
        )
      }
    </ServicePage>
  )
}

function Editor({ serviceId, read }: { readonly serviceId: string; readonly read: AskedRows }): ReactNode {
  const words = useWords().rows
  const editing = useEditing(serviceId, read)
  const { base, rows, theirs, difference, act } = editing
  const [open, setOpen] = useState<number | null>(null)
  const opened = open === null ? undefined : rows[open]
  const addButton = (
    <Button icon={<Plus size={16} aria-hidden />} onClick={() => setOpen(editing.add())}>
      {words.add}
    </Button>
  )
  return (
    <>
      {theirs === null ? null : (
        <Conflict
          base={base.rows}
          theirs={theirs.rows}
          mine={rows}
          onTheirs={() => editing.take(theirs, theirs.rows)}
          onMerge={() => editing.take(theirs, mergeRows(base.rows, theirs.rows, rows))}
        />
      )}
      {rows.length === 0 ? (
        <Empty act={addButton}>{words.empty}</Empty>
      ) : (
        <RowTable
          rows={rows}
          base={base.rows}
          onOpen={setOpen}
          onRemove={(at) => editing.change(at, null)}
          add={addButton}
        />
      )}
      {opened === undefined || open === null ? null : (
        <RowForm
          row={opened}
          types={base.types}
          onRow={(row) => editing.change(open, row)}
          onClose={() => {
            if (opened.label.trim() === '' && opened.id === null) editing.change(open, null)
            setOpen(null)
          }}
        />
      )}
      <Problem failure={act.failure} />
      {theirs !== null || isSame(difference) ? null : (
        <Publish difference={difference} isBusy={act.isBusy} onPublish={editing.publish} onDrop={editing.drop} />
      )}
    </>
  )
}
