import { nearest } from '@sealpost/kernel'
import type { RequestFieldToPublish } from '@sealpost/sdk'
import { CliError } from '../terminal.ts'

export interface RowsFile {
  /** Null for a bare list. */
  readonly token: string | null
  readonly rows: readonly RequestFieldToPublish[]
}

const FILE_MEMBERS = ['config_token', 'request_fields'] as const

/** The members that a row has on the platform. `mandatory` follows from the two that are here. */
export const PUBLISHED_MEMBERS = [
  'slug',
  'label',
  'type',
  'one_time',
  'mandatory_provide',
  'mandatory_connected',
  'audience',
  'verified',
  'verified_max_age_days',
  'plugin',
] as const

/** Those, and the ones that a pull adds. */
const ROW_MEMBERS = ['id', 'mandatory', ...PUBLISHED_MEMBERS, 'flow_id', 'flow_name', 'flow_version'] as const

/**
 * Reads the document of `pull`, or a bare list of rows. A misspelled member is refused: the platform ignores members that
 * it does not know, and the row would be published without it.
 */
export function readRows(document: unknown, file: string): RowsFile {
  const members: Readonly<Record<string, unknown>> =
    typeof document === 'object' && !Array.isArray(document) ? { ...document } : {}
  refuseUnknown(file, unknownMembers('it', 'the file', members, FILE_MEMBERS))
  const list: unknown = Array.isArray(document) ? document : members['request_fields']
  if (!Array.isArray(list) || !list.every(isRow)) {
    throw new CliError(`${file} must contain a list of rows, each with label and type, or the output of pull`)
  }
  refuseUnknown(
    file,
    list.flatMap((row, place) => unknownMembers(`row ${place + 1}`, 'a row', row, ROW_MEMBERS)),
  )
  const nameless = list.findIndex((row) => isBlank(row.slug) && isBlank(row.id))
  if (nameless !== -1) throw missingSlug(file, nameless, list[nameless]?.label ?? '')
  const token = members['config_token']
  return { token: typeof token === 'string' ? token : null, rows: list }
}

/** Without a slug a row would be a new one, and the old one removed, as soon as its label changes. */
export function missingSlug(file: string, place: number, label: string): CliError {
  return new CliError(`${file}: row ${place + 1} (${JSON.stringify(label)}) has no slug: add one`)
}

export function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || (typeof text === 'string' && text.trim() === '')
}

function unknownMembers(subject: string, place: string, members: object, known: readonly string[]): readonly string[] {
  return Object.keys(members)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known)
      const hint = meant === null ? `, which is not a member of ${place}` : `; did you mean "${meant}"?`
      return `${subject} has ${JSON.stringify(name)}${hint}`
    })
}

function refuseUnknown(file: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new CliError(`${file} is not published:`, problems)
}

function isRow(row: unknown): row is RequestFieldToPublish {
  if (typeof row !== 'object' || row === null || !('label' in row) || !('type' in row)) return false
  return typeof row.label === 'string' && typeof row.type === 'string'
}
