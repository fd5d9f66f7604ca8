import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { EntryView } from '../../worker/commands/data.ts'
import { ValueInput } from './input.tsx'

export type Entries = Readonly<Record<string, string>>

/** What is said about a document: its number, the day on which it ends. */
export function EntryInputs({
  entries,
  values,
  problems,
  onValues,
}: {
  readonly entries: readonly EntryView[]
  readonly values: Entries
  readonly problems: Readonly<Record<string, string>>
  readonly onValues: (values: Entries) => void
}): ReactNode {
  const { parts } = useWords().data
  return entries.map(({ key, input, options, isRequired }) => (
    <ValueInput
      key={key}
      label={parts[key] ?? key}
      type={{ type: key, input, isFile: false, options, entries: [] }}
      value={values[key] ?? ''}
      onValue={(text) => onValues(withEntry(values, key, text))}
      isOptional={!isRequired}
      problems={problems[key] === undefined ? {} : { '': problems[key] }}
    />
  ))
}

function withEntry(values: Entries, key: string, text: string): Entries {
  const others = Object.entries(values).filter(([other]) => other !== key)
  return Object.fromEntries(text === '' ? others : [...others, [key, text]])
}

/** The first problem that belongs to none of the entries: that of the file itself. */
export function problemOfFile(
  problems: Readonly<Record<string, string>>,
  entries: readonly EntryView[],
): string | undefined {
  return Object.entries(problems).find(([path]) => entries.every(({ key }) => key !== path))?.[1]
}
