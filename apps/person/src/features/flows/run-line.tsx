import { formatWhen, Row, Seal, useLanguage } from '@sealpost/ui'
import { nowMs } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { useWords } from '../../words/index.ts'
import type { RunRow } from '../../worker/commands/flows.ts'
import { isOver, stateWords } from './run-words.ts'

/** A form in a list; the home page has those that wait. */
export function RunLine({ row }: { readonly row: RunRow }): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const { companyName, companyId, serviceName, connectionId: connection, runId: run } = row
  const state = stateWords(words, row.state)
  const about = isOver(row.state) ? words.flows.at(state, formatWhen(language, row.updatedAt, nowMs())) : state
  return (
    <Row
      start={<Seal name={companyName} id={companyId} />}
      name={row.title === null ? companyName : words.flows.named(companyName, row.title)}
      about={isOver(row.state) ? words.flows.at(serviceName, about) : about}
      href={href('flow', { connection, run })}
    />
  )
}
