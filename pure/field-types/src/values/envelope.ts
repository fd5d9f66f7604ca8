import type { InheritedColumns } from '../registry/registry.ts'
import { isMimeType, isPdfDataUri, looksLikeDataUri, parseDataUri } from './data-uri.ts'
import { membersOf } from './json.ts'
import { type Judgement, note, type Path } from './judgement.ts'
import type { ValueReason } from './value-reasons.ts'

type Members = ReadonlyMap<string, unknown>
type MemberRule = (value: unknown, path: Path, judgement: Judgement) => ValueReason | null

/** The members that an envelope has of itself, beside the entries of its type. */
export interface EnvelopeShape {
  readonly rules: ReadonlyMap<string, MemberRule>
  readonly requiredAtWrite: readonly string[]
}

/** Names that no entry of a file or pages type may take. */
export const envelopeKeys = ['file', 'pages', 'original_name', 'mime_type', 'size', 'name', 'full', 'thumb'] as const

const PAGES_MAX = 10
const PAGE_LABELS = ['front', 'back', 'additional']

export function envelopeOf({ input, lane }: Pick<InheritedColumns, 'input' | 'lane'>): EnvelopeShape {
  if (input === 'composite') return plainObject
  if (input === 'pages') return pagesEnvelope
  return lane === 'photo' ? photoEnvelope : documentEnvelope
}

/** An empty member counts as absent. */
export function judgeEnvelope(shape: EnvelopeShape, members: Members, judgement: Judgement): void {
  judgeMembers(shape.rules, members, [], judgement)
  if (judgement.atWrite) requireMembers(shape.requiredAtWrite, members, [], judgement)
}

export function judgeUnknownMembers(
  known: (name: string) => boolean,
  members: Members,
  path: Path,
  judgement: Judgement,
): void {
  for (const name of members.keys()) if (!known(name)) note(judgement, [...path, name], 'unknown_member')
}

const fileFacts: readonly (readonly [string, MemberRule])[] = [
  ['file', judgeFile],
  ['original_name', judgeName],
  ['mime_type', judgeMimeType],
  ['size', judgeSize],
]
const pageRules = new Map<string, MemberRule>([...fileFacts, ['label', judgeLabel]])

const plainObject: EnvelopeShape = { rules: new Map(), requiredAtWrite: [] }
const photoEnvelope: EnvelopeShape = {
  rules: new Map([
    ['full', judgeFile],
    ['thumb', judgeFile],
  ]),
  requiredAtWrite: ['full'],
}
const documentEnvelope: EnvelopeShape = {
  rules: new Map([...fileFacts, ['name', judgeName]]),
  requiredAtWrite: ['file', 'original_name', 'mime_type', 'size'],
}
const pagesEnvelope: EnvelopeShape = {
  rules: new Map([
    ['pages', judgePages],
    ['name', judgeName],
  ]),
  requiredAtWrite: ['pages'],
}

function judgeMembers(
  rules: ReadonlyMap<string, MemberRule>,
  members: Members,
  path: Path,
  judgement: Judgement,
): void {
  for (const [name, rule] of rules) {
    const value = members.get(name)
    const place = [...path, name]
    if (!isAbsent(value)) note(judgement, place, rule(value, place, judgement))
  }
}

function requireMembers(names: readonly string[], members: Members, path: Path, judgement: Judgement): void {
  for (const name of names) if (isAbsent(members.get(name))) note(judgement, [...path, name], 'missing')
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === ''
}

function judgePages(value: unknown, path: Path, judgement: Judgement): ValueReason | null {
  if (!Array.isArray(value)) return 'not_a_page_list'
  if (value.length > PAGES_MAX) return 'too_many_pages'
  for (const [index, page] of value.entries()) judgePage(page, [...path, index], judgement)
  return null
}

function judgePage(page: unknown, path: Path, judgement: Judgement): void {
  const members = membersOf(page)
  if (members === null) return note(judgement, path, 'not_an_object')
  judgeUnknownMembers((name) => pageRules.has(name), members, path, judgement)
  judgeMembers(pageRules, members, path, judgement)
  requireMembers(['file'], members, path, judgement)
}

/** A stored envelope may name its file instead of carrying it; what is written, and what claims to be a data URI, is one. */
function judgeFile(value: unknown, path: Path, judgement: Judgement): ValueReason | null {
  if (typeof value !== 'string') return 'not_text'
  if (!judgement.atWrite && !looksLikeDataUri(value)) return null
  const file = parseDataUri(value)
  if (file === null) return 'not_a_data_uri'
  judgement.fileBytes += file.byteLength
  if (!isPdfDataUri(file)) judgement.notPdf.push(path)
  return null
}

function judgeMimeType(value: unknown, path: Path, judgement: Judgement): ValueReason | null {
  if (typeof value !== 'string' || !isMimeType(value)) return 'not_a_mime_type'
  if (value !== 'application/pdf') judgement.notPdf.push(path)
  return null
}

function judgeSize(value: unknown): ValueReason | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? null : 'not_a_size'
}

function judgeName(value: unknown): ValueReason | null {
  return typeof value === 'string' ? null : 'not_text'
}

function judgeLabel(value: unknown): ValueReason | null {
  return PAGE_LABELS.some((label) => label === value) ? null : 'not_a_page_label'
}
