import type { Operator } from '../operator.ts'
import type { AnswerMember } from './answer-members.ts'
import type { Kind } from './vocabulary.ts'

/** A lie about one member: what it is told to be instead of what it is. */
export interface Telling {
  readonly name: string
  readonly change: (present: unknown) => unknown
}

/** What the operator has at hand to put in the place of the truth. */
export interface Means {
  readonly operator: Operator
  /** A text that is sealed to the operator's own key. */
  readonly foreignWrapper: string
  /** Texts of the operator, sealed to the keys of the parties. */
  readonly forgedWrappers: readonly string[]
  /** The private key of another account, wrapped as those are. */
  readonly foreignWrap: unknown
}

export const EVIL = 'https://region.evil.example'
const CLEAR = 'a text of the operator'

/** By what the member decides, and by its type. */
export function tellingsOf({ kind, name }: Pick<AnswerMember, 'kind' | 'name'>, means: Means): readonly Telling[] {
  const own = BY_NAME[name]
  return [...(own?.(means) ?? BY_KIND[kind](means)), { name: 'missing', change: () => undefined }]
}

const always = (name: string, value: unknown): Telling => ({ name, change: () => value })

const BY_KIND: Readonly<Record<Kind, (means: Means) => readonly Telling[]>> = {
  key: ({ operator }) => [{ name: "the operator's", change: (present) => otherKey(operator, present) }],
  address: () => [{ name: "the operator's", change: otherAddress }],
  text: ({ foreignWrapper, forgedWrappers }) => [
    always('in the clear', CLEAR),
    always('of another', foreignWrapper),
    ...forgedWrappers.map((wrapper) => always('forged', wrapper)),
  ],
  privacy: () => [{ name: 'the opposite', change: opposite }],
  secret: ({ foreignWrap }) => [
    { name: 'damaged', change: (present) => changedText(present, damage) },
    { name: 'weaker', change: weaker },
    always('of another', foreignWrap),
  ],
  definition: () => [
    { name: 'another', change: (present) => changedText(present, otherText) },
    { name: 'empty', change: emptied },
  ],
}

const BY_NAME: Readonly<Record<string, (means: Means) => readonly Telling[]>> = {
  claims_delivery: () => [always('in the clear', 'plaintext'), always('sealed', 'encrypted')],
  user_type: () => [always('a company', 'company'), always('a person', 'person')],
  usertype: () => [always('a company', 'company'), always('a person', 'person')],
  mode: () => ['signin', 'one_time', 'connect', '2fa_enroll'].map((mode) => always(mode, mode)),
  encrypt_payload: () => [{ name: 'the opposite', change: opposite }],
  challenge: () => [always('the id of a sign-in', '019a0000-0000-7000-8000-00000000aaaa')],
  assertion_challenge: () => [always('the id of a sign-in', '019a0000-0000-7000-8000-00000000aaaa')],
}

function otherKey(operator: Operator, present: unknown): unknown {
  if (Array.isArray(present)) {
    const own = { previous_sha256: operator.fingerprint, public_key: operator.publicKey, signature: 'AAAA' }
    return [...present.map((item: unknown) => otherKey(operator, item)), own]
  }
  if (typeof present === 'object' && present !== null)
    return Object.fromEntries(Object.entries(present).map(([name, value]) => [name, otherKey(operator, value)]))
  return typeof present === 'string' && /^[\da-f]{64}$/.test(present) ? operator.fingerprint : operator.publicKey
}

function otherAddress(present: unknown): unknown {
  if (Array.isArray(present)) return present.map(otherAddress)
  if (typeof present !== 'string' || !URL.canParse(present)) return EVIL
  const { pathname, search } = new URL(present)
  return `${EVIL}${pathname === '/' ? '' : pathname}${search}`
}

function opposite(present: unknown): unknown {
  if (typeof present === 'boolean') return !present
  return Array.isArray(present) && present.length > 0 ? [] : ['amount']
}

function weaker(present: unknown): unknown {
  if (typeof present === 'number') return 1
  if (typeof present !== 'object' || present === null) return 'c2hvcnQ='
  return Object.fromEntries(
    Object.entries(present).map(([name, value]) => [name, typeof value === 'number' ? 1 : value]),
  )
}

/** Every text inside is another one of the same form; numbers and truths stay. */
function changedText(present: unknown, change: (text: string) => string): unknown {
  if (typeof present === 'string') return change(present)
  if (Array.isArray(present)) return present.map((item: unknown) => changedText(item, change))
  if (typeof present !== 'object' || present === null) return present
  return Object.fromEntries(Object.entries(present).map(([name, value]) => [name, changedText(value, change)]))
}

const damage = (text: string): string => `AAAA${text.slice(4)}`

function otherText(text: string): string {
  if (/^[\da-f]{64}$/.test(text)) return 'ab'.repeat(32)
  return /^[\da-f]{8}-[\da-f-]{27}$/.test(text) ? '019a0000-0000-7000-8000-00000000dddd' : `${text}x`
}

function emptied(present: unknown): unknown {
  if (Array.isArray(present)) return []
  return typeof present === 'object' && present !== null ? {} : null
}
