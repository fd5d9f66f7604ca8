import { Empty, Page, Rows, Section } from '@sealpost/ui'
import { Shown } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import { RunLine } from './run-line.tsx'
import { isOver, isWaiting } from './run-words.ts'

/** All forms: those that wait for the person, those that wait for others, and those that are over. */
export default function Flows(): ReactNode {
  const { flows: words } = useWords()
  const runs = useRead('listRuns', 'flows')
  const waiting = runs.state === 'ready' ? runs.value.filter(({ state }) => isWaiting(state)).length : null
  return (
    <Page title={words.title} lead={waiting === null ? undefined : words.waiting(waiting)}>
      <Shown of={runs}>{(rows) => (rows.length === 0 ? <Empty>{words.empty}</Empty> : <Groups rows={rows} />)}</Shown>
    </Page>
  )
}

function Groups({ rows }: { readonly rows: readonly RunRow[] }): ReactNode {
  const { groups } = useWords().flows
  return (
    <>
      <Group title={groups.yours} rows={rows.filter(({ state }) => isWaiting(state))} />
      <Group title={groups.others} rows={rows.filter(({ state }) => !isWaiting(state) && !isOver(state))} />
      <Group title={groups.over} rows={rows.filter(({ state }) => isOver(state))} />
    </>
  )
}

function Group({ title, rows }: { readonly title: string; readonly rows: readonly RunRow[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <Rows label={title}>
        {rows.map((row) => (
          <RunLine key={row.runId} row={row} />
        ))}
      </Rows>
    </Section>
  )
}
