import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ACROSS_OWNERS, FIRST_OWNERS, NOBODYS, OTHER_OWNERS, OWNER_COLUMNS } from './exemptions.ts'
import { judgeStatement, type Owners } from './judge.ts'
import { type Files, findMigrations, findStatements, type Statement } from './statements.ts'
import { readTables, type Tables } from './tables.ts'

export interface Lists {
  readonly nobodys: Readonly<Record<string, string>>
  readonly otherOwners: Readonly<Record<string, string>>
  readonly acrossOwners: Readonly<Record<string, string>>
}

export const LISTS: Lists = { nobodys: NOBODYS, otherOwners: OTHER_OWNERS, acrossOwners: ACROSS_OWNERS }

export interface Sources {
  readonly stores: Files
  readonly migrations: Files
}

/** The files with SQL of all apps, as lint lets SQL stand there only. */
export function readSources(root: string): Sources {
  const paths = readdirSync(join(root, 'apps'), { recursive: true, encoding: 'utf8' })
    .map((path) => `apps/${path}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
  const pick = (pattern: RegExp): Files =>
    new Map(paths.filter((path) => pattern.test(path)).map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  return { stores: pick(/\/store(\.ts$|\/)/), migrations: pick(/\/migrations(\.ts$|\/)/) }
}

/** Everything that is wrong with the statements of the sources, and with the lists of what is allowed. */
export function findProblems({ stores, migrations }: Sources, lists: Lists): readonly string[] {
  const tables = readTables(findMigrations(migrations))
  const { statements, unread } = findStatements(stores)
  const owners = ownersOf(tables, lists)
  const isAcross = ({ place }: Statement): boolean => lists.acrossOwners[place] !== undefined
  return [
    ...unread.map(({ place, line }) => `${place} (line ${line}): write the statement as a text that can be read here`),
    ...statements.filter((one) => !isAcross(one)).flatMap((one) => describe(one, judgeStatement(one.text, owners))),
    ...tableProblems(tables, statements, lists),
    ...needlessOwners(statements, owners, lists),
    ...Object.keys(lists.acrossOwners)
      .filter((place) => !statements.some((one) => one.place === place && judgeStatement(one.text, owners).length > 0))
      .map((place) => `${place} is listed as across owners and is not`),
  ]
}

function describe({ place, line }: Statement, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${place} (line ${line}): ${problem}`)
}

function ownersOf(tables: Tables, { nobodys, otherOwners }: Lists): Owners {
  const columnsOf = (table: string, columns: ReadonlySet<string>): readonly string[] => {
    if (nobodys[table] !== undefined) return []
    const own = [FIRST_OWNERS, OWNER_COLUMNS].find((names) => names.some((name) => columns.has(name))) ?? []
    return [...columns].filter((column) => own.includes(column) || `${table}.${column}` in otherOwners)
  }
  return new Map([...tables].map(([table, columns]) => [table, columnsOf(table, columns)]))
}

function tableProblems(tables: Tables, statements: readonly Statement[], lists: Lists): readonly string[] {
  const owners = ownersOf(tables, { ...lists, nobodys: {} })
  const isUsed = (table: string): boolean => statements.some(({ text }) => text.includes(table))
  return [
    ...[...owners]
      .filter(([table, columns]) => columns.length === 0 && lists.nobodys[table] === undefined && isUsed(table))
      .map(([table]) => `${table} has no owner: add a column that says whose a row is, or say why it is nobody's`),
    ...Object.keys(lists.nobodys)
      .filter((table) => owners.get(table)?.length !== 0 || !isUsed(table))
      .map((table) => `${table} is listed as nobody's and is not`),
  ]
}

/** Another owner is needed when some statement would be refused without it. */
function needlessOwners(statements: readonly Statement[], owners: Owners, { otherOwners }: Lists): readonly string[] {
  return Object.keys(otherOwners).flatMap((name) => {
    const table = name.slice(0, name.lastIndexOf('.'))
    const column = name.slice(name.lastIndexOf('.') + 1)
    const without = new Map(owners).set(table, owners.get(table)?.filter((owner) => owner !== column) ?? [])
    // A table that is left without any owner would be nobody's.
    const isOnly = owners.get(table)?.join() === column
    const isNeeded = statements.some(
      ({ text }) =>
        text.includes(table) && (isOnly || judgeStatement(text, without).length > judgeStatement(text, owners).length),
    )
    return isNeeded ? [] : [`${name} is listed as an owner and no statement needs it`]
  })
}
