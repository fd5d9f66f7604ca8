import { createHash } from 'node:crypto'
import {
  buildRegistry,
  checkOperatorRows,
  type FieldTypeRow,
  readRow,
  type Registry,
  type RowProblem,
  rowReasons,
  seedRows,
} from '@sealpost/field-types'
import type { Read } from '@sealpost/postgres'
import type { RegistryNeeds } from './needs.ts'
import { findDigest, holdRevision, insertOperatorRow, listOperatorRows, setDigest } from './store/types.ts'

/** The registry with the rows it was built of. */
export interface BuiltRegistry {
  readonly registry: Registry
  readonly rows: readonly FieldTypeRow[]
  /** Names these rows, those of the platform included. */
  readonly tag: string
}

/**
 * [Note: registry by digest] A built registry is kept under the digest of the operator's rows, so a call costs one tiny
 * read, and a row added by any process is seen by the next call of every other one. The digest names the content: two
 * databases in one process share an entry only where they hold the same rows.
 */
const built = new Map<string, BuiltRegistry>()
const REMEMBERED = 8

export async function loadRegistry(read: Read): Promise<Registry> {
  return (await loadBuiltRegistry(read)).registry
}

/** Raw, as `GET /api/contact-field-types` answers them. */
export async function loadBuiltRegistry(read: Read): Promise<BuiltRegistry> {
  const known = built.get((await findDigest(read)) ?? NO_ROWS)
  if (known !== undefined) return known
  const rows = await readOperatorRows(read)
  const fresh = build(rows)
  if (built.size >= REMEMBERED) built.clear()
  // By what was read, not by what was looked for: rows may have come in between.
  built.set(digestOf(rows), fresh)
  return fresh
}

export async function listTypeRows(read: Read): Promise<readonly FieldTypeRow[]> {
  return (await loadBuiltRegistry(read)).rows
}

/** What an operator wanted to add, row by row, and why it is not taken. */
export class TypesRefused extends Error {
  readonly problems: readonly RowProblem[]

  constructor(problems: readonly RowProblem[]) {
    super(problems.map(({ path, reason }) => `row ${path.join('.')}: ${rowReasons[reason]}`).join('\n'))
    this.problems = problems
  }
}

/** All of them or none; they may be each other's parents. */
export async function addTypes(
  { database, clock }: Pick<RegistryNeeds, 'database' | 'clock'>,
  documents: readonly unknown[],
): Promise<readonly FieldTypeRow[]> {
  return database.transaction(async (tx) => {
    await holdRevision(tx)
    const before = await readOperatorRows(tx)
    const checked = checkOperatorRows(build(before).registry, documents)
    if (!checked.ok) throw new TypesRefused(checked.refusal)
    for (const row of checked.value) await insertOperatorRow(tx, row, clock.now())
    await setDigest(tx, digestOf([...before, ...checked.value]))
    return checked.value
  })
}

function build(operatorRows: readonly FieldTypeRow[]): BuiltRegistry {
  // A release may bring a type whose name an operator took before; of two rows the platform's counts.
  const rows = [...seedRows, ...operatorRows.filter(({ type }) => !SEEDED.has(type))]
  return { registry: buildRegistry(rows), rows, tag: sha256(JSON.stringify(rows)) }
}

/** What this release cannot read counts as absent, as it does for every other reader. */
async function readOperatorRows(read: Read): Promise<readonly FieldTypeRow[]> {
  return (await listOperatorRows(read)).flatMap((document) => {
    const row = readRow(document)
    return row.ok ? [row.value] : []
  })
}

function digestOf(rows: readonly FieldTypeRow[]): string {
  return sha256(JSON.stringify(rows))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const SEEDED: ReadonlySet<string> = new Set(seedRows.map(({ type }) => type))
const NO_ROWS = digestOf([])
