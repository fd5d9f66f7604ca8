import { createCryptoPlatform, isWrapper, wrapperObjectText } from '@sealpost/crypto'
import { answerElements, type FlowNode } from '@sealpost/flow'
import { accept, decline, type Result, type UserId } from '@sealpost/kernel'
import type { SaidAnswer, TurnRefusal } from '@sealpost/protocol'
import type { FileHandle } from '../../model.ts'
import { isAnswerFile } from '../../rules/file-handles.ts'

const platform = createCryptoPlatform(globalThis)

/** The value of one copy: sealed text, or a reference to a file; null for a linked file that the run does not hold. */
export type CopyValue =
  | { readonly kind: 'sealed'; readonly text: string }
  | { readonly kind: 'file'; readonly text: string; readonly file: FileHandle | null; readonly isLinked: boolean }

export interface ReadAnswer {
  readonly slug: string
  readonly isPrivate: boolean
  readonly isLinked: boolean
  /** Of a linked answer: the number of its link, and the privacy of the field behind it. */
  readonly link: { readonly rev: number; readonly isPrivate: boolean } | null
  readonly attested: SaidAnswer['attested']
  readonly copies: ReadonlyMap<UserId, CopyValue>
}

export interface TurnFacts {
  readonly node: FlowNode
  /** The distinct users of the run. */
  readonly users: ReadonlySet<UserId>
  readonly isBinary: (fieldType: string) => boolean
  /** Whether the file was uploaded for this slug and user. */
  readonly hasFile: (file: FileHandle, slug: string, userId: UserId) => boolean
  /** Whether a wrapper may also come as an object: older clients send one. */
  readonly acceptsObjects: boolean
}

/** Validates the answers of a turn as far as a relay can: slugs, copies and shapes. */
export function readAnswers(said: readonly SaidAnswer[], facts: TurnFacts): Result<readonly ReadAnswer[], TurnRefusal> {
  const read = new Map<string, ReadAnswer>()
  for (const one of said) {
    const answer = readAnswer(one, facts)
    if (!answer.ok) return answer
    if (read.has(answer.value.slug)) return decline('flows.answer_invalid')
    read.set(answer.value.slug, answer.value)
  }
  return accept([...read.values()])
}

function readAnswer(said: SaidAnswer, facts: TurnFacts): Result<ReadAnswer, TurnRefusal> {
  const { slug, source_private: isPrivate = false, attested, is_linked: isLinked } = said
  const element = answerElements(facts.node).find((one) => one.slug === slug)
  if (element === undefined || typeof isPrivate !== 'boolean') return decline('flows.answer_invalid')
  // A plugin answer is never private.
  if (element.kind === 'plugin' && isPrivate) return decline('flows.answer_invalid')
  const copies = readCopies(said.values, facts)
  if (!copies.ok) return copies
  const isFile = element.kind === 'field' && facts.isBinary(element.field_type)
  const isWanted = ([userId, copy]: readonly [UserId, CopyValue]): boolean =>
    (copy.kind === 'file') === isFile &&
    (copy.kind === 'sealed' || copy.file === null || facts.hasFile(copy.file, element.slug, userId))
  if (![...copies.value].every(isWanted)) return decline('flows.answer_invalid')
  // The mark of a linked file is on every copy, and only where the customer has named a field.
  if (isFile && ![...copies.value.values()].every((copy) => copy.kind === 'file' && copy.isLinked === isLinked))
    return decline('flows.answer_invalid')
  const link =
    said.link_rev === undefined ? null : { rev: said.link_rev, isPrivate: said.is_source_private ?? isPrivate }
  return accept({ slug: element.slug, isPrivate, isLinked, link, attested, copies: copies.value })
}

function readCopies(
  values: unknown,
  { users, acceptsObjects }: TurnFacts,
): Result<ReadonlyMap<UserId, CopyValue>, TurnRefusal> {
  const copies = new Map<UserId, CopyValue>()
  for (const one of Array.isArray(values) ? values : []) {
    const userId = [...users].find((user) => user === memberOf(one, 'for_user_id'))
    if (userId === undefined) return decline('flows.answer_party_invalid')
    const value = memberOf(one, 'value')
    const copy = readCopy((acceptsObjects ? wrapperObjectText(platform, value) : null) ?? value)
    if (copy === null) return decline('contact_data.encryption_required')
    if (!copies.has(userId)) copies.set(userId, copy)
  }
  return copies.size === users.size ? accept(copies) : decline('flows.answer_party_missing')
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
}

/** Null for plaintext. */
function readCopy(value: unknown): CopyValue | null {
  if (typeof value !== 'string') return null
  if (isWrapper(platform, value)) return { kind: 'sealed', text: value }
  const reference = readReference(value)
  return reference === null ? null : { kind: 'file', text: value, ...reference }
}

/** `{"_enc_file": f}`, `{"_enc_file": f, "_link": 1}` or `{"_link": 1}`, and no other member. */
function readReference(text: string): { readonly file: FileHandle | null; readonly isLinked: boolean } | null {
  if (text.length > 200) return null
  const parsed = parse(text)
  if (typeof parsed !== 'object' || parsed === null) return null
  const [file, link] = [memberOf(parsed, '_enc_file'), memberOf(parsed, '_link')]
  const isLinked = link === 1
  const count = Object.keys(parsed).length
  if (file === undefined) return isLinked && count === 1 ? { file: null, isLinked } : null
  if (typeof file !== 'string' || !isAnswerFile(file)) return null
  return count === (isLinked ? 2 : 1) ? { file, isLinked } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
