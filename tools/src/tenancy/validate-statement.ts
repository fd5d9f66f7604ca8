import { type Fact, factsOf, isQuery, type TableUse, unnamed, usingFacts } from './conditions.ts'
import { isComma, isWord, parseSql, type SqlPart, splitAt } from './sql-tokens.ts'

/** The columns of each table that name the owner of a row; an empty list for a table without owners. */
export type Owners = ReadonlyMap<string, readonly string[]>

const SECTIONS: readonly string[] =
  'select set from using where group having window order limit offset for returning values default on'.split(' ')
const JOIN_WORDS: readonly string[] = 'join left right full inner outer cross natural'.split(' ')

/**
 * Lists the tables whose rows a statement reads or writes without naming their owner. Each level is validated on its own:
 * a subquery, a `with` and an upsert must each name the owner, or join by it with a table whose owner is named.
 */
export function validateStatement(text: string, owners: Owners): readonly string[] {
  const validation: Validation = { owners, expressions: new Set(), problems: [] }
  try {
    validateQuery(parseSql(text), validation)
  } catch (error) {
    validation.problems.push(error instanceof Error ? error.message : String(error))
  }
  return [...new Set(validation.problems)]
}

interface Validation {
  readonly owners: Owners
  /** Names of common table expressions. */
  readonly expressions: Set<string>
  readonly problems: string[]
}

function validateQuery(parts: readonly SqlPart[], validation: Validation): void {
  const query = isWord(parts[0], 'with') ? validateExpressions(parts, validation) : parts
  const halves = splitAt(query, (part) => isWord(part, 'union', 'intersect', 'except'))
  for (const half of halves) validateOne(isWord(half[0], 'all') ? half.slice(1) : half, validation)
}

/** `with name as (…), …`: validates each expression and returns the main query. */
function validateExpressions(parts: readonly SqlPart[], validation: Validation): readonly SqlPart[] {
  const main = parts.findIndex((part, place) => place > 0 && isWord(part, 'select', 'insert', 'update', 'delete'))
  const names = splitAt(parts.slice(1, main), isComma).map((piece) => piece.find((part) => !isWord(part, 'recursive')))
  for (const name of names) if (name?.kind === 'word') validation.expressions.add(name.text)
  for (const part of parts.slice(1, main)) {
    if (part.kind === 'group' && isQuery(part.parts)) validateQuery(part.parts, validation)
  }
  return parts.slice(main)
}

function validateOne(query: readonly SqlPart[], validation: Validation): void {
  validateInside(query, validation)
  if (isWord(query[0], 'select')) validateRows(sectionsOf(query), [], validation)
  else if (isWord(query[0], 'update'))
    validateRows(sectionsOf(query.slice(1)), itemUses(query.slice(1), validation), validation)
  else if (isWord(query[0], 'delete'))
    validateRows(sectionsOf(query.slice(2)), itemUses(query.slice(2), validation), validation)
  else if (isWord(query[0], 'insert')) validateInsert(query.slice(2), validation)
  else if (!isWord(query[0], 'values') && query[0]?.kind !== 'group') validation.problems.push('not a query')
}

/** Subqueries at any depth. */
function validateInside(parts: readonly SqlPart[], validation: Validation): void {
  for (const part of parts) {
    if (part.kind !== 'group') continue
    if (isQuery(part.parts) && !isWord(part.parts[0], 'values')) validateQuery(part.parts, validation)
    else validateInside(part.parts, validation)
  }
}

interface Section {
  readonly word: string
  readonly parts: readonly SqlPart[]
}

/** `on` begins a section only in an upsert; in a list of tables it belongs to its join. */
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

function validateRows(sections: readonly Section[], targets: readonly TableUse[], validation: Validation): void {
  const uses = [...targets]
  const facts: Fact[] = []
  const conditions: (readonly SqlPart[])[] = []
  for (const { word, parts } of sections) {
    if (word === 'where') conditions.push(parts)
    if (word !== 'from' && word !== 'using') continue
    for (const item of itemsOf(parts)) {
      const added = itemUses(item, validation)
      const on = item.findIndex((part) => isWord(part, 'on'))
      if (on !== -1) conditions.push(item.slice(on + 1))
      const columns = item[item.findIndex((part) => isWord(part, 'using')) + 1]
      const isUsing = item.some((part) => isWord(part, 'using')) && columns?.kind === 'group'
      if (isUsing) facts.push(...added.flatMap((use) => usingFacts(columns.parts, use, uses)))
      uses.push(...added)
    }
  }
  facts.push(...conditions.flatMap((condition) => factsOf(condition, uses)))
  report(unnamed(uses, facts), validation)
}

function validateInsert(rest: readonly SqlPart[], validation: Validation): void {
  const [use] = itemUses(rest, validation)
  const columns = rest.find((part) => part.kind === 'group')
  const listed = columns === undefined ? [] : splitAt(columns.parts, isComma).map(([part]) => wordOf(part))
  if (use !== undefined && use.owners.length > 0) {
    if (!use.owners.some((owner) => listed.includes(owner))) report([use], validation)
    validateUpsert(rest, use, validation)
  }
  const source = rest.findIndex((part) => isWord(part, 'select'))
  const end = rest.findIndex((part, place) => isWord(part, 'on') && isWord(rest[place + 1], 'conflict'))
  if (source !== -1) validateQuery(withoutInside(rest.slice(source, end === -1 ? undefined : end)), validation)
}

/** A conflict on a key without the owner could update another owner's row. */
function validateUpsert(rest: readonly SqlPart[], use: TableUse, validation: Validation): void {
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
    validation.problems.push(`${use.table}: the upsert may update a row of another owner`)
}

/** The subqueries were already validated with the whole statement. */
function withoutInside(parts: readonly SqlPart[]): readonly SqlPart[] {
  return parts.map((part) => (part.kind === 'group' && isQuery(part.parts) ? { kind: 'group', parts: [] } : part))
}

/** The tables of a list, each with its join condition. */
function itemsOf(list: readonly SqlPart[]): readonly (readonly SqlPart[])[] {
  return splitAt(list, (part) => isComma(part) || isWord(part, ...JOIN_WORDS)).filter((item) => item.length > 0)
}

/** The table with its alias; empty for a subquery, a function or a common table expression. */
function itemUses(item: readonly SqlPart[], validation: Validation): readonly TableUse[] {
  const [name, next, last] = item.filter((part) => !isWord(part, 'only', 'lateral'))
  if (name?.kind !== 'word') {
    if (name?.kind === 'group' && !isQuery(name.parts))
      validation.problems.push('a parenthesized table list cannot be validated')
    return []
  }
  // A function call or a common table expression.
  if (next?.kind === 'group' && !validation.owners.has(name.text)) return []
  if (validation.expressions.has(name.text)) return []
  const owners = validation.owners.get(name.text)
  if (owners === undefined) {
    validation.problems.push(`${name.text} is not a table of the migrations`)
    return []
  }
  const called = isWord(next, 'as') ? last : next
  const isAlias = called?.kind === 'word' && ![...SECTIONS, ...JOIN_WORDS].includes(called.text)
  return [{ table: name.text, alias: isAlias ? called.text : name.text.slice(name.text.indexOf('.') + 1), owners }]
}

function report(uses: readonly TableUse[], { problems }: Validation): void {
  for (const { table, owners } of uses) problems.push(`${table}: no condition on its owner (${owners.join(' or ')})`)
}

function wordOf(part: SqlPart | undefined): string {
  return part?.kind === 'word' ? part.text : ''
}
