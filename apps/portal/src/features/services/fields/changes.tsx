import { pluralOf, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import type { AskedRow } from '../../../worker/commands/request-rows.ts'
import type { ChangedRow, Difference, Member } from './difference.ts'
import { typeName } from './type-name.ts'
import classes from './fields.module.css'

/** A difference, one line for each row. */
export function Changes({ of, label }: { readonly of: Difference; readonly label: string }): ReactNode {
  const words = useWords().rows
  return (
    <div className={classes.list}>
      <ul aria-label={label}>
        {of.added.map((row, at) => (
          <li key={row.id ?? at}>
            <span className={classes.kind}>{words.added}</span>
            <span>
              <b>{row.label}</b> <span className={classes.about}>{typeName(words.types, row.type)}</span>
            </span>
          </li>
        ))}
        {of.changed.map((change) => (
          <li key={change.after.id}>
            <span className={classes.kind}>{words.changedRow}</span>
            <span>
              <b>{change.before.label}</b> <Members change={change} />
            </span>
          </li>
        ))}
        {of.removed.map((row) => (
          <li key={row.id}>
            <span className={classes.kind}>{words.removed}</span>
            <span>
              <b>{row.label}</b> <Loss values={row.values} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Members({ change: { before, after, members } }: { readonly change: ChangedRow }): ReactNode {
  const words = useWords().rows
  const parts = members.map((member) =>
    words.fromTo(words.members[member], valueOf(words, before, member), valueOf(words, after, member)),
  )
  return <span className={classes.about}>{parts.join('; ')}</span>
}

function Loss({ values }: { readonly values: number }): ReactNode {
  const words = useWords().rows
  const { language } = useLanguage()
  if (values === 0) return <span className={classes.about}>{words.losesNothing}</span>
  return <span className={classes.loss}>{pluralOf(language)(values, words.loses)}</span>
}

interface ValueWords {
  readonly yes: string
  readonly no: string
  readonly anyAge: string
  readonly days: (days: number) => string
  readonly audiences: Readonly<Record<AskedRow['audience'], string>>
}

function valueOf(words: ValueWords, row: AskedRow, member: Member): string {
  if (member === 'label') return row.label
  if (member === 'audience') return words.audiences[row.audience]
  if (member === 'maxAgeDays') return row.maxAgeDays === null ? words.anyAge : words.days(row.maxAgeDays)
  return row[member] ? words.yes : words.no
}
