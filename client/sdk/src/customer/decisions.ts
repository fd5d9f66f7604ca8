import { isSealpostError } from '../errors.ts'
import { dataUriOf } from '../files/new-envelope.ts'
import type { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import type { ConnectBody, LookUpServiceAnswer } from '../shapes.generated.ts'
import { isFiles, plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { ContactData } from './contact-data.ts'
import type { CustomerSession } from './session.ts'

/** A field that a service asks for. */
export type RequestedField = LookUpServiceAnswer['request_fields'][number]
type Decision = ConnectBody['decisions'][number]

/** How a customer answers a field that a service asks for. */
export type CustomerAnswer =
  /** A field of the own profile, which the service then follows; its value is read and sealed anew here. */
  | { readonly from: string }
  /** The same where the plaintext is at hand already: exactly what the field holds. */
  | { readonly from: string; readonly value: PlainInput }
  /** Typed for this service alone. Files are sealed, unless `clear` says that everybody on the way may read them. */
  | { readonly value: PlainInput; readonly clear?: boolean }

/** Answers by the slug of what is asked for. */
export type CustomerAnswers = Readonly<Record<string, CustomerAnswer>>

export interface Asking {
  readonly serviceId: string
  readonly publicKey: string
  readonly rows: readonly RequestedField[]
}

/** A person edits one field at a time; more often than this in a row nobody does. */
const TRIES = 5

/**
 * Sends what was decided, everything judged and sealed before. When a field of the profile changed meanwhile, its value is
 * read and sealed anew.
 */
export async function sendDecisions<Answer>(
  session: CustomerSession,
  contactData: ContactData,
  asking: Asking,
  answers: CustomerAnswers,
  options: CallOptions | undefined,
  send: (decisions: readonly Decision[]) => Promise<Answer>,
): Promise<Answer> {
  // With a key of the caller's own, another body would be refused.
  const tries = options?.idempotencyKey === undefined ? TRIES : 1
  for (let left = tries - 1; ; left -= 1) {
    const decisions = await decide(session, contactData, asking, answers, options)
    try {
      return await send(decisions)
    } catch (error) {
      if (left === 0 || !isSealpostError(error, 'company_connections.source_changed')) throw error
    }
  }
}

async function decide(
  session: CustomerSession,
  contactData: ContactData,
  { serviceId, publicKey, rows }: Asking,
  answers: CustomerAnswers,
  options: CallOptions | undefined,
): Promise<readonly Decision[]> {
  const key = await session.service(serviceId, publicKey)
  const decisions: Decision[] = []
  for (const [slug, answer] of Object.entries(answers)) {
    const row = rows.find((asked) => asked.slug === slug) ?? unknownSlug(slug, rows)
    decisions.push(await decideOne({ session, contactData, key, options }, row, answer))
  }
  return decisions
}

interface Deciding {
  readonly session: CustomerSession
  readonly contactData: ContactData
  readonly key: PublicKey
  readonly options: CallOptions | undefined
}

async function decideOne(deciding: Deciding, row: RequestedField, answer: CustomerAnswer): Promise<Decision> {
  const source = 'from' in answer ? answer.from : null
  const live = source === null ? 'typed' : 'linked'
  const about = {
    request_field_id: row.id,
    kind: row.one_time ? 'one_time' : live,
    ...(source === null ? {} : { source_field_id: source }),
  } as const
  if ('value' in answer) return { ...about, ...(await givenValue(deciding, row, answer)) }
  return { ...about, ...(await ownValue(deciding, row, answer.from)) }
}

/** What the profile holds, sealed anew. Files that are not private are taken from there by the platform itself. */
async function ownValue(deciding: Deciding, row: RequestedField, fieldId: string): Promise<Partial<Decision>> {
  const { contactData, key, options } = deciding
  const record = await contactData.get(fieldId, options)
  const read = { source_updated_at: record.updated_at }
  if (row.lane !== 'inline' && !record.is_private) return read
  const sealed = await key.seal(await contactData.textOf(record, options))
  return row.lane === 'inline' ? { ...read, value: sealed } : { ...read, file: { value: sealed } }
}

async function givenValue(
  { session, key, options }: Deciding,
  row: RequestedField,
  answer: Extract<CustomerAnswer, { readonly value: PlainInput }>,
): Promise<Partial<Decision>> {
  const types = await session.types(options)
  const isExact = 'from' in answer
  const text = plaintextOf(types, { what: row.label, type: row.type, isExact }, answer.value)
  if (row.lane === 'inline') return { value: await key.seal(text) }
  if (!('clear' in answer) || !answer.clear) return { file: { value: await key.seal(text) } }
  const { input, entries } = types.resolve(row.type)
  const hasOneFile = input !== 'pages' && entries.length === 0
  const file = hasOneFile && isFiles(answer.value) ? answer.value.file : undefined
  if (file === undefined) return { file: { envelope: text } }
  return { file: { file: dataUriOf(file), original_name: file.originalName } }
}

function unknownSlug(slug: string, rows: readonly RequestedField[]): never {
  const asked = rows.map((row) => row.slug).join(', ')
  throw new TypeError(`the service does not ask for ${slug}; it asks for ${asked === '' ? 'nothing' : asked}`)
}
