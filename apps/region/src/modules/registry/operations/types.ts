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
import { createBoundedCache } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { RegistryContext } from '../context.ts'
import { findDigest, lockRevision, insertOperatorRow, listOperatorRows, setDigest } from '../store/types.ts'

/** The registry and the rows it was built from. */
export interface BuiltRegistry {
  readonly registry: Registry
  readonly rows: readonly FieldTypeRow[]
  /** A digest of these rows, for the ETag. */
  readonly tag: string
}

/**
 * [Note: registry by digest] A built registry is cached by the digest of the operator's rows. A call reads only the
 * digest, and a row that any process adds is seen by the next call of every other one. Two databases in one process share
 * an entry only if they hold the same rows.
 */
const built = createBoundedCache<string, BuiltRegistry>({ most: 8 })

export async function loadRegistry(read: Read): Promise<Registry> {
  return (await loadBuiltRegistry(read)).registry
}

/** Raw, as `GET /api/contact-field-types` answers them. */
export async function loadBuiltRegistry(read: Read): Promise<BuiltRegistry> {
  const known = built.get((await findDigest(read)) ?? NO_ROWS)
  if (known !== undefined) return known
  const rows = await readOperatorRows(read)
  const fresh = build(rows)
  // Keyed by the rows that were read: some may have been added after the digest was.
  built.set(digestOf(rows), fresh)
  return fresh
}

export async function listTypeRows(read: Read): Promise<readonly FieldTypeRow[]> {
  return (await loadBuiltRegistry(read)).rows
}

/** Why each row that an operator wanted to add was refused. */
export class TypesRefused extends Error {
  readonly problems: readonly RowProblem[]

  constructor(problems: readonly RowProblem[]) {
    super(problems.map(({ path, reason }) => `row ${path.join('.')}: ${rowReasons[reason]}`).join('\n'))
    this.problems = problems
  }
}

/** Adds all rows or none; rows of one call may be each other's parents. */
export async function addTypes(
  { database, clock }: Pick<RegistryContext, 'database' | 'clock'>,
  documents: readonly unknown[],
): Promise<readonly FieldTypeRow[]> {
  return database.transaction(async (tx) => {
    await lockRevision(tx)
    const before = await readOperatorRows(tx)
    const checked = checkOperatorRows(build(before).registry, documents)
    if (!checked.ok) throw new TypesRefused(checked.refusal)
    for (const row of checked.value) await insertOperatorRow(tx, row, clock.now())
    await setDigest(tx, digestOf([...before, ...checked.value]))
    return checked.value
  })
}

function build(operatorRows: readonly FieldTypeRow[]): BuiltRegistry {
  // A release may add a type whose name an operator has used: the platform's row wins.
  const rows = [...seedRows, ...operatorRows.filter(({ type }) => !SEEDED.has(type))]
  return { registry: buildRegistry(rows), rows, tag: sha256(JSON.stringify(rows)) }
}

/** Rows that this release cannot parse are left out, as for every other reader. */
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
