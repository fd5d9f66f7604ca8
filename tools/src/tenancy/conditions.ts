import { isComma, isSign, isWord, type SqlPart, splitAt } from './sql-tokens.ts'

/** A table that the current level of the statement uses, with its alias. */
export interface TableUse {
  readonly table: string
  readonly alias: string
  /** The columns that name the owner of a row; empty for a table without owners. */
  readonly owners: readonly string[]
}

/** The owner of the rows is named, equals the owner of other rows, or is read from other rows. */
export type Fact =
  | { readonly named: TableUse }
  | { readonly same: readonly [TableUse, TableUse] }
  | { readonly found: TableUse; readonly through: TableUse }

/**
 * The facts about owners that a condition implies: every fact of parts joined by `and`, the common facts of parts joined
 * by `or`, none of a part under `not`.
 */
export function factsOf(condition: readonly SqlPart[], uses: readonly TableUse[]): readonly Fact[] {
  const [only, ...others] = condition
  if (only?.kind === 'group' && others.length === 0 && !isQuery(only.parts)) return factsOf(only.parts, uses)
  const choices = splitAt(condition, (part) => isWord(part, 'or'))
  if (choices.length > 1) return inEach(choices.map((choice) => factsOf(choice, uses)))
  const needs = splitAt(condition, (part) => isWord(part, 'and'))
  if (needs.length > 1) return needs.flatMap((need) => factsOf(need, uses))
  return comparisonFacts(condition, uses)
}

/** `using (company_id)` ties the owner of the joined table to the owners of the tables before it. */
export function usingFacts(columns: readonly SqlPart[], added: TableUse, before: readonly TableUse[]): readonly Fact[] {
  const names = columns.flatMap((part) => (part.kind === 'word' ? [part.text] : []))
  const isShared = (use: TableUse): boolean => use.owners.some((owner) => names.includes(owner))
  if (!isShared(added)) return []
  const others = before.filter(isShared)
  // A list of values or a table expression has no owner of its own: it supplies the owners.
  return others.length === 0 ? [{ named: added }] : others.map((other) => ({ same: [added, other] }))
}

/** The uses whose owner is named neither directly nor through another table. */
export function unnamed(uses: readonly TableUse[], facts: readonly Fact[]): readonly TableUse[] {
  const named = new Set(facts.flatMap((fact) => ('named' in fact ? [fact.named] : [])))
  for (let before = -1; before !== named.size;) {
    before = named.size
    for (const fact of facts) {
      if ('same' in fact && fact.same.some((use) => named.has(use))) fact.same.forEach((use) => named.add(use))
      if ('found' in fact && named.has(fact.through)) named.add(fact.found)
    }
  }
  return uses.filter((use) => use.owners.length > 0 && !named.has(use))
}

export function isQuery([first]: readonly SqlPart[]): boolean {
  return isWord(first, 'select', 'insert', 'update', 'delete', 'with', 'values')
}

function inEach(choices: readonly (readonly Fact[])[]): readonly Fact[] {
  const [first = [], ...rest] = choices
  return first.filter((fact) => rest.every((choice) => choice.some((other) => isSameFact(fact, other))))
}

function isSameFact(one: Fact, other: Fact): boolean {
  if ('named' in one) return 'named' in other && one.named === other.named
  if ('found' in one) return 'found' in other && one.found === other.found && one.through === other.through
  return 'same' in other && one.same.every((use) => other.same.includes(use))
}

function comparisonFacts(parts: readonly SqlPart[], uses: readonly TableUse[]): readonly Fact[] {
  if (isWord(parts[0], 'not')) return []
  const equals = parts.findIndex((part) => isSign(part, '='))
  if (equals !== -1) {
    const [left, right] = [parts.slice(0, equals), parts.slice(equals + 1)]
    return isWord(right[0], 'all') ? [] : rowFacts(left, right, uses)
  }
  const isIn = parts.findIndex((part) => isWord(part, 'in'))
  if (isIn === -1 || isWord(parts[isIn - 1], 'not')) return []
  return rowFacts(parts.slice(0, isIn), parts.slice(isIn + 1), uses)
}

function rowFacts(left: readonly SqlPart[], right: readonly SqlPart[], uses: readonly TableUse[]): readonly Fact[] {
  const lefts = membersOf(left)
  const rights = membersOf(right)
  if (lefts.length !== rights.length) return lefts.flatMap((member) => pairFacts(member, right, uses))
  return lefts.flatMap((member, place) => pairFacts(member, rights[place] ?? [], uses))
}

/** `(a, b)` is compared member by member, a query or a single value as a whole. */
function membersOf(side: readonly SqlPart[]): readonly (readonly SqlPart[])[] {
  const [row, ...more] = side
  return row?.kind === 'group' && more.length === 0 && !isQuery(row.parts) ? splitAt(row.parts, isComma) : [side]
}

function pairFacts(left: readonly SqlPart[], right: readonly SqlPart[], uses: readonly TableUse[]): readonly Fact[] {
  const lefts = ownedBy(left, uses)
  const rights = ownedBy(right, uses)
  if (lefts.length > 0 && rights.length > 0)
    return lefts.flatMap((one) => rights.map((other): Fact => ({ same: [one, other] })))
  const [owned, value] = lefts.length > 0 ? [lefts, right] : [rights, left]
  // A value computed from the column itself (`coalesce($1, company_id)`) matches every row.
  return owned
    .filter((use) => !mentions(value, (column) => isOwnerOf(column, use)))
    .flatMap((use) => valueFacts(use, value, uses))
}

/** A value read from other rows names an owner only if the owner of those rows is named. */
function valueFacts(found: TableUse, value: readonly SqlPart[], uses: readonly TableUse[]): readonly Fact[] {
  const others = uses.filter((use) => use !== found && use.owners.length > 0)
  const sources = others.filter(({ alias }) => mentions(value, (column) => column.startsWith(`${alias}.`)))
  return sources.length === 0 ? [{ named: found }] : sources.map((through) => ({ found, through }))
}

/** The uses whose owner column this is; several when `using` merged the columns. */
function ownedBy(side: readonly SqlPart[], uses: readonly TableUse[]): readonly TableUse[] {
  const [column, cast] = side
  if (column?.kind !== 'word' || (cast !== undefined && !isSign(cast, '::'))) return []
  return uses.filter((use) => isOwnerOf(column.text, use))
}

function isOwnerOf(column: string, { alias, owners }: TableUse): boolean {
  return owners.some((owner) => column === owner || column === `${alias}.${owner}`)
}

function mentions(parts: readonly SqlPart[], isMeant: (column: string) => boolean): boolean {
  return parts.some((part) => {
    // The columns of a subquery are its own.
    if (part.kind === 'group') return !isQuery(part.parts) && mentions(part.parts, isMeant)
    return part.kind === 'word' && isMeant(part.text)
  })
}
