import { dataUriOf } from '../files/new-envelope.ts'
import type { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { repeatOn } from '../repeat-on.ts'
import type { ConnectBody, LookUpServiceAnswer } from '../shapes.generated.ts'
import { isFiles, plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { ContactData } from './contact-data.ts'
import type { CustomerSession } from './session.ts'

/** A field that a service requests. */
export type RequestedField = LookUpServiceAnswer['request_fields'][number]
type Decision = ConnectBody['decisions'][number]

/** The customer's answer to a requested field. */
export type CustomerAnswer =
  /** A field of the own profile, which the service then follows; its value is read and sealed on this side. */
  | { readonly from: string }
  /** The same with the plaintext already at hand: exactly the value of the field. */
  | { readonly from: string; readonly value: PlainInput }
  /** A value for this service alone. Files are sealed, unless `clear` allows the platform to read them. */
  | { readonly value: PlainInput; readonly clear?: boolean }

/** Answers by the slug of the requested field. */
export type CustomerAnswers = Readonly<Record<string, CustomerAnswer>>

export interface Asking {
  readonly serviceId: string
  readonly publicKey: string
  readonly rows: readonly RequestedField[]
}

/**
 * Validates and seals all answers, then sends them. When a field of the profile changes meanwhile, this is repeated with
 * its new value.
 */
export async function sendDecisions<Answer>(
  session: CustomerSession,
  contactData: ContactData,
  asking: Asking,
  answers: CustomerAnswers,
  options: CallOptions | undefined,
  send: (decisions: readonly Decision[]) => Promise<Answer>,
): Promise<Answer> {
  const sendOnce = async () => send(await decide(session, contactData, asking, answers, options))
  // Under the caller's own idempotency key, a repeat with another body would be refused.
  if (options?.idempotencyKey !== undefined) return sendOnce()
  return repeatOn('company_connections.source_changed', sendOnce)
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

/** The value of the profile, sealed to the service. The platform copies files that are not private. */
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
  throw new TypeError(`the service does not request ${slug}; it requests ${asked === '' ? 'nothing' : asked}`)
}
