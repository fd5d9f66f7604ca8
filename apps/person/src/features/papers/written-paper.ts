/** A paper that is data: `{title?, sections, fields}` is written text, anything else a table of what it holds. */
export interface WrittenPaper {
  readonly title: string | null
  readonly sections: readonly { readonly heading: string | null; readonly text: string }[]
  readonly fields: readonly { readonly label: string; readonly value: string }[]
}

/** Deeper values are shown as they are written. */
const DEEPEST = 4

export function readWritten(value: unknown): WrittenPaper {
  const { title, sections, fields } = membersOf(value)
  const isWritten = Array.isArray(sections) || Array.isArray(fields)
  if (!isWritten) return { title: null, sections: [], fields: rowsOf(value, '', 0) }
  return {
    title: typeof title === 'string' && title !== '' ? title : null,
    sections: listOf(sections).map((section) => ({
      heading: textOf(section['heading']),
      text: shown(section['text']),
    })),
    fields: listOf(fields).map((field) => ({ label: shown(field['label']), value: shown(field['value']) })),
  }
}

function rowsOf(value: unknown, name: string, depth: number): WrittenPaper['fields'] {
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return [{ label: name, value: shown(value) }]
  return Object.entries(value).flatMap(([key, part]) => rowsOf(part, name === '' ? key : `${name} · ${key}`, depth + 1))
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((part) => membersOf(part)) : []
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
