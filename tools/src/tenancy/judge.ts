import { type Fact, factsOf, isQuery, type TableUse, unnamed, usingFacts } from './conditions.ts'
import { isComma, isWord, parseSql, type SqlPart, splitAt } from './sql-tokens.ts'

/** The columns of each table that name whose row it is; an empty list for a table that nobody owns. */
export type Owners = ReadonlyMap<string, readonly string[]>

const SECTIONS: readonly string[] =
  'select set from using where group having window order limit offset for returning values default on'.split(' ')
const JOIN_WORDS: readonly string[] = 'join left right full inner outer cross natural'.split(' ')

/**
 * What is wrong with a statement: tables whose rows it reads or writes without saying whose. Every level is judged by its
 * own: a subquery, a `with`, an upsert must each name the owner, or be tied by it to a table that does.
 */
export function judgeStatement(text: string, owners: Owners): readonly string[] {
  const judging: Judging = { owners, expressions: new Set(), problems: [] }
  try {
    judgeQuery(parseSql(text), judging)
  } catch (error) {
    judging.problems.push(error instanceof Error ? error.message : String(error))
  }
  return [...new Set(judging.problems)]
}

interface Judging {
  readonly owners: Owners
  /** Names that `with` gave. */
  readonly expressions: Set<string>
  readonly problems: string[]
}

function judgeQuery(parts: readonly SqlPart[], judging: Judging): void {
  const query = isWord(parts[0], 'with') ? judgeExpressions(parts, judging) : parts
  const halves = splitAt(query, (part) => isWord(part, 'union', 'intersect', 'except'))
  for (const half of halves) judgeOne(isWord(half[0], 'all') ? half.slice(1) : half, judging)
}

/** `with name as (…), …`: judges each and answers what follows. */
function judgeExpressions(parts: readonly SqlPart[], judging: Judging): readonly SqlPart[] {
  const main = parts.findIndex((part, place) => place > 0 && isWord(part, 'select', 'insert', 'update', 'delete'))
  const names = splitAt(parts.slice(1, main), isComma).map((piece) => piece.find((part) => !isWord(part, 'recursive')))
  for (const name of names) if (name?.kind === 'word') judging.expressions.add(name.text)
  for (const part of parts.slice(1, main)) {
    if (part.kind === 'group' && isQuery(part.parts)) judgeQuery(part.parts, judging)
  }
  return parts.slice(main)
}

function judgeOne(query: readonly SqlPart[], judging: Judging): void {
  judgeInside(query, judging)
  if (isWord(query[0], 'select')) judgeRows(sectionsOf(query), [], judging)
  else if (isWord(query[0], 'update')) judgeRows(sectionsOf(query.slice(1)), itemUses(query.slice(1), judging), judging)
  else if (isWord(query[0], 'delete')) judgeRows(sectionsOf(query.slice(2)), itemUses(query.slice(2), judging), judging)
  else if (isWord(query[0], 'insert')) judgeInsert(query.slice(2), judging)
  else if (!isWord(query[0], 'values') && query[0]?.kind !== 'group') judging.problems.push('it is no query')
}

/** Queries in brackets, wherever they stand. */
function judgeInside(parts: readonly SqlPart[], judging: Judging): void {
  for (const part of parts) {
    if (part.kind !== 'group') continue
    if (isQuery(part.parts) && !isWord(part.parts[0], 'values')) judgeQuery(part.parts, judging)
    else judgeInside(part.parts, judging)
  }
}

interface Section {
  readonly word: string
  readonly parts: readonly SqlPart[]
}

/** `on` begins one only in an upsert: in a list of tables it belongs to its join. */
function sectionsOf(query: readonly SqlPart[]): readonly Section[] {
  const sections: { word: string; parts: SqlPart[] }[] = []
  query.forEach((part, place) => {
    const isOn = isWord(part, 'on') && !isWord(query[place + 1], 'conflict')
    const isUsing = isWord(part, 'using') && sections.some(({ word }) => word === 'from')
    const begins = part.kind === 'word' && SECTIONS.includes(part.text) && !isOn && !isUsing
    if (begins) sections.push({ word: part.text, parts: [] })
    else sections.at(-1)?.parts.push(part)
  })
  return sections
}

function judgeRows(sections: readonly Section[], targets: readonly TableUse[], judging: Judging): void {
  const uses = [...targets]
  const facts: Fact[] = []
  const conditions: (readonly SqlPart[])[] = []
  for (const { word, parts } of sections) {
    if (word === 'where') conditions.push(parts)
    if (word !== 'from' && word !== 'using') continue
    for (const item of itemsOf(parts)) {
      const added = itemUses(item, judging)
      const on = item.findIndex((part) => isWord(part, 'on'))
      if (on !== -1) conditions.push(item.slice(on + 1))
      const columns = item[item.findIndex((part) => isWord(part, 'using')) + 1]
      const isUsing = item.some((part) => isWord(part, 'using')) && columns?.kind === 'group'
      if (isUsing) facts.push(...added.flatMap((use) => usingFacts(columns.parts, use, uses)))
      uses.push(...added)
    }
  }
  facts.push(...conditions.flatMap((condition) => factsOf(condition, uses)))
  report(unnamed(uses, facts), judging)
}

function judgeInsert(rest: readonly SqlPart[], judging: Judging): void {
  const [use] = itemUses(rest, judging)
  const columns = rest.find((part) => part.kind === 'group')
  const listed = columns === undefined ? [] : splitAt(columns.parts, isComma).map(([part]) => wordOf(part))
  if (use !== undefined && use.owners.length > 0) {
    if (!use.owners.some((owner) => listed.includes(owner))) report([use], judging)
    judgeUpsert(rest, use, judging)
  }
  const source = rest.findIndex((part) => isWord(part, 'select'))
  const end = rest.findIndex((part, place) => isWord(part, 'on') && isWord(rest[place + 1], 'conflict'))
  if (source !== -1) judgeQuery(withoutInside(rest.slice(source, end === -1 ? undefined : end)), judging)
}

/** A row that was found by a key without its owner could be anybody's. */
function judgeUpsert(rest: readonly SqlPart[], use: TableUse, judging: Judging): void {
  const conflict = rest.findIndex((part) => isWord(part, 'conflict'))
  const isUpdate = conflict !== -1 && rest.slice(conflict).some((part) => isWord(part, 'update'))
  if (!isUpdate) return
  const target = rest[conflict + 1]
  const columns = target?.kind === 'group' ? splitAt(target.parts, isComma).map(([part]) => wordOf(part)) : []
  const where = rest.findIndex((part, place) => place > conflict && isWord(part, 'where'))
  const returning = rest.findIndex((part) => isWord(part, 'returning'))
  const condition = where === -1 ? [] : rest.slice(where + 1, returning === -1 ? undefined : returning)
  const isNamed = columns.some((column) => use.owners.includes(column))
  if (!isNamed && unnamed([use], factsOf(condition, [use])).length > 0)
    judging.problems.push(`${use.table}: a row that is there already is updated whoever owns it`)
}

/** Its brackets were judged with the statement around it. */
function withoutInside(parts: readonly SqlPart[]): readonly SqlPart[] {
  return parts.map((part) => (part.kind === 'group' && isQuery(part.parts) ? { kind: 'group', parts: [] } : part))
}

/** The tables of a list, each with what joins it. */
function itemsOf(list: readonly SqlPart[]): readonly (readonly SqlPart[])[] {
  return splitAt(list, (part) => isComma(part) || isWord(part, ...JOIN_WORDS)).filter((item) => item.length > 0)
}

/** One, none for an expression or a function, with the name by which its columns are called. */
function itemUses(item: readonly SqlPart[], judging: Judging): readonly TableUse[] {
  const [name, next, last] = item.filter((part) => !isWord(part, 'only', 'lateral'))
  if (name?.kind !== 'word') {
    if (name?.kind === 'group' && !isQuery(name.parts)) judging.problems.push('tables in brackets cannot be read')
    return []
  }
  // A function, or what `with` made.
  if (next?.kind === 'group' && !judging.owners.has(name.text)) return []
  if (judging.expressions.has(name.text)) return []
  const owners = judging.owners.get(name.text)
  if (owners === undefined) {
    judging.problems.push(`${name.text} is no table of the migrations`)
    return []
  }
  const called = isWord(next, 'as') ? last : next
  const isAlias = called?.kind === 'word' && ![...SECTIONS, ...JOIN_WORDS].includes(called.text)
  return [{ table: name.text, alias: isAlias ? called.text : name.text.slice(name.text.indexOf('.') + 1), owners }]
}

function report(uses: readonly TableUse[], { problems }: Judging): void {
  for (const { table, owners } of uses)
    problems.push(`${table}: none of ${owners.join(', ')} says whose rows are meant`)
}

function wordOf(part: SqlPart | undefined): string {
  return part?.kind === 'word' ? part.text : ''
}
