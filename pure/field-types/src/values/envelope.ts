import type { InheritedColumns } from '../registry/registry.ts'
import { isMimeType, isPdfDataUri, looksLikeDataUri, parseDataUri } from './data-uri.ts'
import { membersOf } from './json.ts'
import { type ValidationRun, note, type Path } from './validation-run.ts'
import type { ValueReason } from './value-reasons.ts'

type Members = ReadonlyMap<string, unknown>
type MemberRule = (value: unknown, path: Path, run: ValidationRun) => ValueReason | null

/** The members of every envelope, beside the entries of its type. */
export interface EnvelopeShape {
  readonly rules: ReadonlyMap<string, MemberRule>
  readonly requiredAtWrite: readonly string[]
}

/** Names that no entry of a file or pages type may have. */
export const envelopeKeys = ['file', 'pages', 'original_name', 'mime_type', 'size', 'name', 'full', 'thumb'] as const

const PAGES_MAX = 10
const PAGE_LABELS = ['front', 'back', 'additional']

export function envelopeOf({ input, lane }: Pick<InheritedColumns, 'input' | 'lane'>): EnvelopeShape {
  if (input === 'composite') return plainObject
  if (input === 'pages') return pagesEnvelope
  return lane === 'photo' ? photoEnvelope : documentEnvelope
}

/** An empty member counts as absent. */
export function validateEnvelope(shape: EnvelopeShape, members: Members, run: ValidationRun): void {
  validateMembers(shape.rules, members, [], run)
  if (run.atWrite) requireMembers(shape.requiredAtWrite, members, [], run)
}

export function validateUnknownMembers(
  known: (name: string) => boolean,
  members: Members,
  path: Path,
  run: ValidationRun,
): void {
  for (const name of members.keys()) if (!known(name)) note(run, [...path, name], 'unknown_member')
}

const fileFacts: readonly (readonly [string, MemberRule])[] = [
  ['file', validateFile],
  ['original_name', validateName],
  ['mime_type', validateMimeType],
  ['size', validateSize],
]
const pageRules = new Map<string, MemberRule>([...fileFacts, ['label', validateLabel]])

const plainObject: EnvelopeShape = { rules: new Map(), requiredAtWrite: [] }
const photoEnvelope: EnvelopeShape = {
  rules: new Map([
    ['full', validateFile],
    ['thumb', validateFile],
  ]),
  requiredAtWrite: ['full'],
}
const documentEnvelope: EnvelopeShape = {
  rules: new Map([...fileFacts, ['name', validateName]]),
  requiredAtWrite: ['file', 'original_name', 'mime_type', 'size'],
}
const pagesEnvelope: EnvelopeShape = {
  rules: new Map([
    ['pages', validatePages],
    ['name', validateName],
  ]),
  requiredAtWrite: ['pages'],
}

function validateMembers(
  rules: ReadonlyMap<string, MemberRule>,
  members: Members,
  path: Path,
  run: ValidationRun,
): void {
  for (const [name, rule] of rules) {
    const value = members.get(name)
    const place = [...path, name]
    if (!isAbsent(value)) note(run, place, rule(value, place, run))
  }
}

function requireMembers(names: readonly string[], members: Members, path: Path, run: ValidationRun): void {
  for (const name of names) if (isAbsent(members.get(name))) note(run, [...path, name], 'missing')
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === ''
}

function validatePages(value: unknown, path: Path, run: ValidationRun): ValueReason | null {
  if (!Array.isArray(value)) return 'not_a_page_list'
  if (value.length > PAGES_MAX) return 'too_many_pages'
  for (const [index, page] of value.entries()) validatePage(page, [...path, index], run)
  return null
}

function validatePage(page: unknown, path: Path, run: ValidationRun): void {
  const members = membersOf(page)
  if (members === null) return note(run, path, 'not_an_object')
  validateUnknownMembers((name) => pageRules.has(name), members, path, run)
  validateMembers(pageRules, members, path, run)
  requireMembers(['file'], members, path, run)
}

/**
 * A stored envelope may name its file instead of carrying it; a written envelope, and text that begins as a data URI,
 * must be one.
 */
function validateFile(value: unknown, path: Path, run: ValidationRun): ValueReason | null {
  if (typeof value !== 'string') return 'not_text'
  if (!run.atWrite && !looksLikeDataUri(value)) return null
  const file = parseDataUri(value)
  if (file === null) return 'not_a_data_uri'
  run.fileBytes += file.byteLength
  if (!isPdfDataUri(file)) run.notPdf.push(path)
  return null
}

function validateMimeType(value: unknown, path: Path, run: ValidationRun): ValueReason | null {
  if (typeof value !== 'string' || !isMimeType(value)) return 'not_a_mime_type'
  if (value !== 'application/pdf') run.notPdf.push(path)
  return null
}

function validateSize(value: unknown): ValueReason | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? null : 'not_a_size'
}

function validateName(value: unknown): ValueReason | null {
  return typeof value === 'string' ? null : 'not_text'
}

function validateLabel(value: unknown): ValueReason | null {
  return PAGE_LABELS.some((label) => label === value) ? null : 'not_a_page_label'
}
