import { dataUriOf } from '../files/new-envelope.ts'
import type { CallOptions } from '../options.ts'
import { repeatOn } from '../repeat-on.ts'
import type { ConnectBody, LookUpServiceAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { isFiles, plaintextOf, type PlainInput } from '../values/plain-input.ts'
import {
  type ConnectionRecord,
  recordMembers,
  rememberRecord,
  type ServiceSeal,
  sealFor,
  trustedRecord,
} from './connection-record.ts'
import type { ContactData } from './contact-data.ts'
import type { OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'
import { keepTyped, sealTyped, type TypedAnswer } from './typed-values.ts'

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

/** The service, as the server shows it, and the customer's own record of the connection after this call. */
export interface Asking {
  readonly publicKey: string
  readonly rows: readonly RequestedField[]
  readonly record: ConnectionRecord
}

/** What a user was shown of a requested field. */
export type ShownField = Pick<RequestedField, 'id' | 'slug' | 'label' | 'type' | 'one_time'>

export interface AnswerOptions extends CallOptions {
  /**
   * The requested fields as the user was shown them: nothing is sealed if the service, or the server in its name, asks for
   * something else under the same slug now, such as for every change in place of one copy.
   */
  readonly shown?: readonly ShownField[]
}

/** What the user knows of the service from elsewhere than the server. */
export interface AnnouncedKey {
  /**
   * The fingerprint that the company gives with its code, as in `#k=…` of its link: another key in the answer is refused,
   * also at the first contact, when no key is pinned.
   */
  readonly keyFingerprint?: string
}

export interface ConnectOptions extends AnswerOptions, AnnouncedKey {
  /**
   * For a service that requires a second factor, unless the login had a one-time code: a challenge for an `approval` and
   * what a trusted device made of it.
   */
  readonly secondFactor?: {
    readonly challenge: string
    readonly assertion: NonNullable<ConnectBody['assertion']>
  }
}

export function secondFactorMembers({ secondFactor }: ConnectOptions = {}) {
  if (secondFactor === undefined) return {}
  return { assertion_challenge: secondFactor.challenge, assertion: secondFactor.assertion }
}

export interface Sent {
  readonly decisions: readonly Decision[]
  readonly device_record?: string
}

/** Sends the answers, and remembers the connection that the platform shows. */
export async function sendDecisions(
  session: CustomerSession,
  contactData: ContactData,
  asking: Asking,
  answers: CustomerAnswers,
  options: AnswerOptions | undefined,
  send: (sent: Sent) => Promise<OwnConnection>,
): Promise<OwnConnection> {
  const { answer: sent, members, record } = await sendSealed(session, contactData, asking, answers, options, send)
  // An earlier attempt of the same call, or another device, may have stored another record.
  const isOurs = sent.device_record === undefined || sent.device_record === members.device_record
  if (isOurs) await rememberRecord(session, sent.id, record)
  else await trustedRecord(session, sent)
  return sent
}

/**
 * Validates and seals all answers, then sends them with the record of the connection. When a field of the profile changes
 * meanwhile, this is repeated with its new value.
 */
export async function sendSealed<Answer>(
  session: CustomerSession,
  contactData: ContactData,
  asking: Asking,
  answers: CustomerAnswers,
  options: AnswerOptions | undefined,
  send: (sent: Sent) => Promise<Answer>,
): Promise<{
  readonly answer: Answer
  readonly members: Omit<Sent, 'decisions'>
  readonly record: ConnectionRecord
}> {
  if (options?.shown !== undefined) requireShown(asking, answers, options.shown)
  const typed = keepTyped(await sealTyped(session, typedOf(asking.rows, answers), options), asking.record.typed)
  const record = Object.keys(typed).length === 0 ? asking.record : { ...asking.record, typed }
  const members = await recordMembers(session, record)
  const sendOnce = async () =>
    send({ decisions: await decide(session, contactData, asking, answers, options), ...members })
  // Under the caller's own idempotency key, a repeat with another body would be refused.
  const answer =
    options?.idempotencyKey === undefined
      ? await repeatOn('company_connections.source_changed', sendOnce)
      : await sendOnce()
  return { answer, members, record }
}

function typedOf(rows: readonly RequestedField[], answers: CustomerAnswers): readonly TypedAnswer[] {
  return rows.flatMap(({ slug, label, type }) => {
    const answer = answers[slug]
    return answer === undefined || 'from' in answer ? [] : [{ slug, label, type, value: answer.value }]
  })
}

function requireShown({ rows, record }: Asking, answers: CustomerAnswers, shown: readonly ShownField[]): void {
  for (const slug of Object.keys(answers)) {
    const row = rows.find((asked) => asked.slug === slug)
    const seen = shown.find((asked) => asked.slug === slug)
    const isSame =
      row?.id === seen?.id && row?.label === seen?.label && row?.type === seen?.type && row?.one_time === seen?.one_time
    if (row === undefined || !isSame) throw new UntrustedAnswerError('asked_otherwise', `${record.code} ${slug}`)
  }
}

/** The links that these answers make: snapshots and typed values follow no field. */
export function linksOf(rows: readonly RequestedField[], answers: CustomerAnswers): Readonly<Record<string, string>> {
  const once = new Set(rows.filter((row) => row.one_time).map(({ slug }) => slug))
  const pairs = Object.entries(answers).flatMap(([slug, answer]) =>
    'from' in answer && !once.has(slug) ? [[slug, answer.from] as const] : [],
  )
  return Object.fromEntries(pairs)
}

async function decide(
  session: CustomerSession,
  contactData: ContactData,
  { publicKey, rows, record }: Asking,
  answers: CustomerAnswers,
  options: CallOptions | undefined,
): Promise<readonly Decision[]> {
  const service = await sealFor(session, record, publicKey)
  const decisions: Decision[] = []
  for (const [slug, answer] of Object.entries(answers)) {
    const row = rows.find((asked) => asked.slug === slug) ?? unknownSlug(slug, rows)
    decisions.push(await decideOne({ session, contactData, service, options }, row, answer))
  }
  return decisions
}

interface Deciding {
  readonly session: CustomerSession
  readonly contactData: ContactData
  readonly service: ServiceSeal
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
  const { contactData, options } = deciding
  const record = await contactData.get(fieldId, options)
  const read = { source_updated_at: record.updated_at }
  if (row.lane !== 'inline' && !record.is_private) return read
  return { ...read, ...(await sealed(deciding, row, await contactData.textOf(record, options))) }
}

async function givenValue(
  deciding: Deciding,
  row: RequestedField,
  answer: Extract<CustomerAnswer, { readonly value: PlainInput }>,
): Promise<Partial<Decision>> {
  const types = await deciding.session.types(deciding.options)
  const isExact = 'from' in answer
  const text = plaintextOf(types, { what: row.label, type: row.type, isExact }, answer.value)
  const isClear = 'clear' in answer && answer.clear
  // Only files are sent in the clear, and this side knows whether it was given one: the row is the server's.
  if (row.lane === 'inline' || !isClear || !isFiles(answer.value)) return sealed(deciding, row, text)
  const { input, entries } = types.resolve(row.type)
  const hasOneFile = input !== 'pages' && entries.length === 0
  const file = hasOneFile ? answer.value.file : undefined
  if (file === undefined) return { file: { envelope: text } }
  return { file: { file: dataUriOf(file), original_name: file.originalName } }
}

async function sealed({ service }: Deciding, { slug, lane }: RequestedField, text: string): Promise<Partial<Decision>> {
  const { value, ...signature } = await service.seal(slug, text)
  return lane === 'inline' ? { value, ...signature } : { file: { value }, ...signature }
}

function unknownSlug(slug: string, rows: readonly RequestedField[]): never {
  const asked = rows.map((row) => row.slug).join(', ')
  throw new TypeError(`the service does not request ${slug}; it requests ${asked === '' ? 'nothing' : asked}`)
}
