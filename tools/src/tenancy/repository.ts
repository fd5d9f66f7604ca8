import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACROSS_OWNERS, FIRST_OWNERS, UNOWNED_TABLES, OTHER_OWNERS, OWNER_COLUMNS } from './exemptions.ts'
import { type Files, findMigrations, findStatements, type Statement } from './statements.ts'
import { readTables, type Tables } from './tables.ts'
import { validateStatement, type Owners } from './validate-statement.ts'

export interface Lists {
  readonly unowned: Readonly<Record<string, string>>
  readonly otherOwners: Readonly<Record<string, string>>
  readonly acrossOwners: Readonly<Record<string, string>>
}

export const LISTS: Lists = { unowned: UNOWNED_TABLES, otherOwners: OTHER_OWNERS, acrossOwners: ACROSS_OWNERS }

export interface Sources {
  readonly stores: Files
  readonly migrations: Files
}

/** The files with SQL of all apps: lint refuses SQL elsewhere. */
export function readSources(root: string): Sources {
  const paths = readdirSync(join(root, 'apps'), { recursive: true, encoding: 'utf8' })
    .map((path) => `apps/${path}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
  const pick = (pattern: RegExp): Files =>
    new Map(paths.filter((path) => pattern.test(path)).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  return { stores: pick(/\/store(\.ts$|\/)/), migrations: pick(/\/migrations(\.ts$|\/)/) }
}

/** The problems of the statements, and of the lists of exemptions. */
export function findProblems({ stores, migrations }: Sources, lists: Lists): readonly string[] {
  const tables = readTables(findMigrations(migrations))
  const { statements, unread } = findStatements(stores)
  const owners = ownersOf(tables, lists)
  const isAcross = ({ place }: Statement): boolean => lists.acrossOwners[place] !== undefined
  return [
    ...unread.map(
      ({ place, line }) => `${place} (line ${line}): write the statement as a text that this check can read`,
    ),
    ...statements.filter((one) => !isAcross(one)).flatMap((one) => describe(one, validateStatement(one.text, owners))),
    ...tableProblems(tables, statements, lists),
    ...needlessOwners(statements, owners, lists),
    ...Object.keys(lists.acrossOwners)
      .filter(
        (place) => !statements.some((one) => one.place === place && validateStatement(one.text, owners).length > 0),
      )
      .map((place) => `${place} is listed in ACROSS_OWNERS and need not be: remove it`),
  ]
}

function describe({ place, line }: Statement, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${place} (line ${line}): ${problem}`)
}

function ownersOf(tables: Tables, { unowned, otherOwners }: Lists): Owners {
  const columnsOf = (table: string, columns: ReadonlySet<string>): readonly string[] => {
    if (unowned[table] !== undefined) return []
    const own = [FIRST_OWNERS, OWNER_COLUMNS].find((names) => names.some((name) => columns.has(name))) ?? []
    return [...columns].filter((column) => own.includes(column) || `${table}.${column}` in otherOwners)
  }
  return new Map([...tables].map(([table, columns]) => [table, columnsOf(table, columns)]))
}

function tableProblems(tables: Tables, statements: readonly Statement[], lists: Lists): readonly string[] {
  const owners = ownersOf(tables, { ...lists, unowned: {} })
  const isUsed = (table: string): boolean => statements.some(({ text }) => text.includes(table))
  return [
    ...[...owners]
      .filter(([table, columns]) => columns.length === 0 && lists.unowned[table] === undefined && isUsed(table))
      .map(([table]) => `${table} has no owner column: add one, or list it in UNOWNED_TABLES with the reason`),
    ...Object.keys(lists.unowned)
      .filter((table) => owners.get(table)?.length !== 0 || !isUsed(table))
      .map((table) => `${table} is listed in UNOWNED_TABLES, but has an owner or is unused`),
  ]
}

/** An entry of OTHER_OWNERS is needed if a statement would be refused without it. */
function needlessOwners(statements: readonly Statement[], owners: Owners, { otherOwners }: Lists): readonly string[] {
  return Object.keys(otherOwners).flatMap((name) => {
    const table = name.slice(0, name.lastIndexOf('.'))
    const column = name.slice(name.lastIndexOf('.') + 1)
    const without = new Map(owners).set(table, owners.get(table)?.filter((owner) => owner !== column) ?? [])
    // Removing its only owner would make the table unowned.
    const isOnly = owners.get(table)?.join() === column
    const isNeeded = statements.some(
      ({ text }) =>
        text.includes(table) &&
        (isOnly || validateStatement(text, without).length > validateStatement(text, owners).length),
    )
    return isNeeded ? [] : [`${name} is listed in OTHER_OWNERS and no statement needs it: remove it`]
  })
}
