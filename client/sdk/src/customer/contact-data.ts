import { addressOf } from '../address.ts'
import { isSealpostError } from '../errors.ts'
import { readEnvelope, type Envelope } from '../files/envelope.ts'
import { readFileAnswer } from '../files/open-file.ts'
import { privateCopies } from '../flows/private-copies.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { repeatOn } from '../repeat-on.ts'
import {
  deleteContactData,
  listContactData,
  listContactFields,
  putContactData,
  readContactData,
  stageShare,
} from '../routes.generated.ts'
import type { ListContactDataAnswer, ListContactFieldsAnswer, PutContactDataBody } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { isFiles, plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { TypedValue } from '../values/typed-value.ts'
import { type AskedSlot, type LiveSlot, liveSlotsOf } from './live-slots.ts'
import type { CustomerSession } from './session.ts'

export type ContactValue = ListContactDataAnswer['items'][number]
export type ContactField = ListContactFieldsAnswer['items'][number]

export interface PutOptions extends CallOptions {
  /**
   * Whether files of the field are sealed. Left out: they are, unless this client has stored the field with `false` and
   * remembers it. Companies have no private fields.
   */
  readonly is_private?: boolean
  /** Seals the text exactly as given, because an attestation covers this text. */
  readonly exact?: boolean
}

/** An own value, decrypted. */
export type OwnValue = { readonly record: ContactValue } & (
  | (TypedValue & { readonly text: string })
  | { readonly kind: 'files'; readonly envelope: Envelope; readonly text: string }
)

type Share = NonNullable<PutContactDataBody['shares']>[number]

/** The values of the account's own fields: sealed to the own key for a person, plain for a company. */
export class ContactData {
  readonly #session: CustomerSession

  constructor(session: CustomerSession) {
    this.#session = session
  }

  /** All values as they are stored, read page by page. */
  list(options?: CallOptions): AsyncGenerator<ContactValue, void, undefined> {
    return everyItem((cursor) => this.#session.send(listContactData, { query: pageQuery(cursor) }, options))
  }

  /** The value as it is stored. */
  get(fieldId: string, options?: CallOptions): Promise<ContactValue> {
    return this.#session.send(readContactData, { params: { fieldId } }, options)
  }

  /** The plaintext; needs the key of a person. */
  async open(fieldId: string, options?: CallOptions): Promise<OwnValue> {
    const record = await this.get(fieldId, options)
    const text = await this.textOf(record, options)
    if (record.file !== undefined) return { record, kind: 'files', envelope: readEnvelope(text), text }
    return { record, text, ...(await this.#session.types(options)).parse(record.type, text) }
  }

  /** The exact plaintext of a value, or the envelope of its file. */
  async textOf(record: ContactValue, options: CallOptions = {}): Promise<string> {
    if (record.file !== undefined) return this.#fileText(record.field_id, options)
    const { value = '' } = record
    return this.#session.userType === 'person' ? (await this.#session.key()).open(value) : value
  }

  /**
   * Stores a value and shares it with every service that follows the field, sealed to the key of each. Repeats this when
   * connections change meanwhile.
   */
  async put(fieldId: string, input: PlainInput, options: PutOptions = {}): Promise<ContactValue> {
    const { is_private: wanted, exact = false, ...callOptions } = options
    const field = await this.#field(fieldId, callOptions)
    const types = await this.#session.types(callOptions)
    const text = plaintextOf(types, { what: field.label, type: field.type, isExact: exact }, input)
    const isClearFile = carriesFiles(input, text) && !(await this.#isPrivate(fieldId, wanted, callOptions))
    const value = await this.#ownCopy(text, isClearFile, callOptions)
    if (wanted ?? (await this.#countsAsPrivate(fieldId))) await privateCopies(this.#session.pins).remember(value)
    const about = wanted === undefined ? {} : { is_private: wanted }
    let asked: readonly AskedSlot[] = []
    return repeatOn('contact_data.shares_incomplete', async () => {
      const slots = isClearFile ? [] : await liveSlotsOf(this.#session, fieldId, asked, callOptions)
      const shares: Share[] = []
      for (const slot of slots)
        shares.push(await this.#share(fieldId, slot, text, types.isFile(field.type), callOptions))
      const body = { value, ...about, ...(shares.length === 0 ? {} : { shares }) }
      const sending = this.#session.send(putContactData, { params: { fieldId }, body }, callOptions)
      const stored = await sending.catch((error: unknown) => {
        if (isSealpostError(error, 'contact_data.shares_incomplete')) asked = error.details.missing
        throw error
      })
      if (wanted !== undefined) await this.#session.pins.set(privacyOf(fieldId), wanted ? PRIVATE : CLEAR)
      return stored
    })
  }

  /** Deletes the value, also at services that follow the field. */
  delete(fieldId: string, options?: CallOptions): Promise<void> {
    return this.#session.send(deleteContactData, { params: { fieldId } }, options)
  }

  async #ownCopy(text: string, isClearFile: boolean, options: CallOptions): Promise<string> {
    if (isClearFile || this.#session.userType === 'company') return text
    return (await this.#session.own(options)).seal(text)
  }

  async #share(
    fieldId: string,
    { connectionId, slug, service }: LiveSlot,
    text: string,
    isFile: boolean,
    options: CallOptions,
  ): Promise<Share> {
    const { value, ...signature } = await service.seal(slug, text)
    const name = { connection_id: connectionId, slug, ...signature }
    if (!isFile) return { ...name, value }
    const { file } = await this.#session.send(stageShare, { params: { fieldId }, body: { value } }, options)
    return { ...name, file }
  }

  async #field(fieldId: string, options: CallOptions): Promise<ContactField> {
    const fields = everyItem((cursor) => this.#session.send(listContactFields, { query: pageQuery(cursor) }, options))
    for await (const field of fields) if (field.id === fieldId) return field
    throw new TypeError(`there is no field ${fieldId}; contactFields.list() lists the existing ones`)
  }

  /**
   * Files of a company are never private. Those of a person are, unless the person said otherwise: in this call, or in an
   * earlier one that this device remembers. The server can only tighten it.
   */
  async #isPrivate(fieldId: string, wanted: boolean | undefined, options: CallOptions): Promise<boolean> {
    const { userType, pins } = this.#session
    if (userType === 'company') return false
    if (wanted !== undefined) return wanted
    const shown = await this.#shownPrivacy(fieldId, options)
    const isRemembered = (await pins.get(privacyOf(fieldId))) === CLEAR
    if (!shown && !isRemembered) throw new UntrustedAnswerError('privacy', `field ${fieldId}`)
    return shown
  }

  /** Whether no plugin may get the value. Of a person all are private but those that this device knows not to be. */
  async countsAsPrivate({ field_id: fieldId, is_private: isPrivate }: ContactValue): Promise<boolean> {
    return isPrivate || this.#countsAsPrivate(fieldId)
  }

  async #countsAsPrivate(fieldId: string): Promise<boolean> {
    const { userType, pins } = this.#session
    return userType === 'person' && (await pins.get(privacyOf(fieldId))) !== CLEAR
  }

  /** As the server shows it; a field without a value is private. */
  async #shownPrivacy(fieldId: string, options: CallOptions): Promise<boolean> {
    try {
      return (await this.get(fieldId, options)).is_private
    } catch (error) {
      if (isSealpostError(error, 'request.not_found')) return true
      throw error
    }
  }

  async #fileText(fieldId: string, { signal }: CallOptions): Promise<string> {
    const path = '/api/contact-data/{fieldId}/file'
    const file = await this.#session.readStream(
      (apiUrl) => addressOf(apiUrl, path, { fieldId }, {}),
      signal,
      readFileAnswer,
    )
    if (file.kind === 'clear') return file.envelope.text
    if (file.kind === 'sealed') return (await this.#session.key()).open(file.sealed)
    throw new TypeError('the file of a field has a form that this version does not know')
  }
}

const CLEAR = 'clear'
const PRIVATE = 'private'

function privacyOf(fieldId: string): string {
  return `privacy:${fieldId}`
}

/** Judged by the input alone: the type of the field is the server's word. */
function carriesFiles(input: PlainInput, text: string): boolean {
  if (isFiles(input)) return true
  if (typeof input !== 'string' || !input.startsWith('{')) return false
  try {
    return readEnvelope(text).files.length > 0
  } catch {
    return false
  }
}
