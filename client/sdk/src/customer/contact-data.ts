import { addressOf } from '../address.ts'
import { isSealpostError } from '../errors.ts'
import { readEnvelope, type Envelope } from '../files/envelope.ts'
import { readFileAnswer } from '../files/open-file.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import {
  deleteContactData,
  listContactData,
  listContactFields,
  putContactData,
  readContactData,
  stageShare,
} from '../routes.generated.ts'
import type { ListContactDataAnswer, ListContactFieldsAnswer, PutContactDataBody } from '../shapes.generated.ts'
import { plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { TypedValue } from '../values/typed-value.ts'
import { type LiveSlot, liveSlotsOf } from './live-slots.ts'
import type { CustomerSession } from './session.ts'

export type ContactValue = ListContactDataAnswer['items'][number]
export type ContactField = ListContactFieldsAnswer['items'][number]

export interface PutOptions extends CallOptions {
  /** Whether files of the field are sealed. Left out: as it was, and private at first. Companies have no private fields. */
  readonly is_private?: boolean
  /** Seal the text exactly as given, because somebody verified this very text. */
  readonly exact?: boolean
}

/** An own value, opened. */
export type OwnValue = { readonly record: ContactValue } & (
  | (TypedValue & { readonly text: string })
  | { readonly kind: 'files'; readonly envelope: Envelope; readonly text: string }
)

type Share = NonNullable<PutContactDataBody['shares']>[number]

/** Connections come and go while an edit is made; more often than this in a row they don't. */
const TRIES = 5

/** The values of the account's own fields. Of a person they are sealed to the own key; of a company they are plain. */
export class ContactData {
  readonly #session: CustomerSession

  constructor(session: CustomerSession) {
    this.#session = session
  }

  /** All of them as they are kept, page by page as they are read. */
  list(options?: CallOptions): AsyncGenerator<ContactValue, void, undefined> {
    return everyItem((cursor) => this.#session.send(listContactData, { query: pageQuery(cursor) }, options))
  }

  /** As it is kept. */
  get(fieldId: string, options?: CallOptions): Promise<ContactValue> {
    return this.#session.send(readContactData, { params: { fieldId } }, options)
  }

  /** As it was typed; a person's own key opens it. */
  async open(fieldId: string, options?: CallOptions): Promise<OwnValue> {
    const record = await this.get(fieldId, options)
    const text = await this.textOf(record, options)
    if (record.file !== undefined) return { record, kind: 'files', envelope: readEnvelope(text), text }
    return { record, text, ...(await this.#session.types(options)).parse(record.type, text) }
  }

  /** The exact text of a value: what was sealed, or the envelope of its file. */
  async textOf(record: ContactValue, options: CallOptions = {}): Promise<string> {
    if (record.file !== undefined) return this.#fileText(record.field_id, options)
    const { value = '' } = record
    const { user_type: userType } = await this.#session.me(options)
    return userType === 'person' ? (await this.#session.key()).open(value) : value
  }

  /**
   * Stores a value and shares it anew with every service that follows the field: each gets it sealed to its own key.
   * When connections change meanwhile, it looks again.
   */
  async put(fieldId: string, input: PlainInput, options: PutOptions = {}): Promise<ContactValue> {
    const { is_private: wanted, exact = false, ...callOptions } = options
    const field = await this.#field(fieldId, callOptions)
    const types = await this.#session.types(callOptions)
    const text = plaintextOf(types, { what: field.label, type: field.type, isExact: exact }, input)
    const isPrivate = wanted ?? (await this.#isPrivate(fieldId, callOptions))
    const isClearFile = types.isFile(field.type) && !isPrivate
    const value = await this.#ownCopy(text, isClearFile, callOptions)
    const about = wanted === undefined ? {} : { is_private: wanted }
    for (let left = TRIES - 1; ; left -= 1) {
      const slots = isClearFile ? [] : await liveSlotsOf(this.#session, fieldId, callOptions)
      const shares: Share[] = []
      for (const slot of slots)
        shares.push(await this.#share(fieldId, slot, text, types.isFile(field.type), callOptions))
      try {
        return await this.#session.send(
          putContactData,
          { params: { fieldId }, body: { value, ...about, ...(shares.length === 0 ? {} : { shares }) } },
          callOptions,
        )
      } catch (error) {
        if (left === 0 || !isSealpostError(error, 'contact_data.shares_incomplete')) throw error
      }
    }
  }

  /** What it feeds goes with it. */
  delete(fieldId: string, options?: CallOptions): Promise<void> {
    return this.#session.send(deleteContactData, { params: { fieldId } }, options)
  }

  async #ownCopy(text: string, isClearFile: boolean, options: CallOptions): Promise<string> {
    const { user_type: userType } = await this.#session.me(options)
    if (isClearFile || userType === 'company') return text
    return (await this.#session.own(options)).seal(text)
  }

  async #share(
    fieldId: string,
    { connectionId, slug, serviceId, publicKey }: LiveSlot,
    text: string,
    isFile: boolean,
    options: CallOptions,
  ): Promise<Share> {
    const value = await (await this.#session.service(serviceId, publicKey)).seal(text)
    if (!isFile) return { connection_id: connectionId, slug, value }
    const { file } = await this.#session.send(stageShare, { params: { fieldId }, body: { value } }, options)
    return { connection_id: connectionId, slug, file }
  }

  async #field(fieldId: string, options: CallOptions): Promise<ContactField> {
    const fields = everyItem((cursor) => this.#session.send(listContactFields, { query: pageQuery(cursor) }, options))
    for await (const field of fields) if (field.id === fieldId) return field
    throw new TypeError(`there is no field ${fieldId}; contactFields.list() names those that exist`)
  }

  /** Files of a company are never private; those of a person are, unless the field says otherwise. */
  async #isPrivate(fieldId: string, options: CallOptions): Promise<boolean> {
    if ((await this.#session.me(options)).user_type === 'company') return false
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
    throw new TypeError('the file of a field came in a form that this version does not know')
  }
}
