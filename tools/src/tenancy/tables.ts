import { isComma, isWord, parseSql, type SqlGroup, type SqlPart, splitAt } from './sql-tokens.ts'

/** `schema.table` → columns. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>

const CONSTRAINTS: readonly string[] = ['primary', 'unique', 'foreign', 'check', 'constraint', 'exclude', 'like']

/** The tables after all migrations, given in the order in which they are applied. */
export function readTables(sources: readonly string[]): Tables {
  const tables = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const statement of splitAt(parseSql(source), (part) => part.kind === 'sign' && part.text === ';'))
      applyStatement(tables, statement)
  }
  return tables
}

function applyStatement(tables: Map<string, Set<string>>, statement: readonly SqlPart[]): void {
  const place = statement.findIndex((part) => isWord(part, 'table'))
  const name = statement.slice(place + 1).find((part) => part.kind === 'word' && part.text.includes('.'))
  if (place === -1 || name?.kind !== 'word') return
  if (isWord(statement[0], 'create')) {
    const columns = partitionColumns(tables, statement) ?? ownColumns(statement)
    if (columns !== null) tables.set(name.text, new Set(columns))
  }
  if (isWord(statement[0], 'alter')) {
    statement.forEach((part, index) => {
      if (!isWord(part, 'column') || !isWord(statement[index - 1], 'add')) return
      const column = statement.slice(index + 1).find((word) => !isWord(word, 'if', 'not', 'exists'))
      if (column?.kind === 'word') tables.get(name.text)?.add(column.text)
    })
  }
}

/** A partition has the columns of its parent: `create table day_1 partition of event for values in (1)`. */
function partitionColumns(tables: Tables, statement: readonly SqlPart[]): ReadonlySet<string> | null {
  const place = statement.findIndex((part, index) => isWord(part, 'of') && isWord(statement[index - 1], 'partition'))
  const parent = place === -1 ? undefined : statement[place + 1]
  return parent?.kind === 'word' ? (tables.get(parent.text) ?? new Set()) : null
}

function ownColumns(statement: readonly SqlPart[]): readonly string[] | null {
  const columns = statement.find((part) => part.kind === 'group')
  return columns === undefined ? null : columnsOf(columns)
}

function columnsOf({ parts }: SqlGroup): readonly string[] {
  return splitAt(parts, isComma)
    .map(([first]) => (first?.kind === 'word' ? first.text : ''))
    .filter((word) => word !== '' && !CONSTRAINTS.includes(word))
}
