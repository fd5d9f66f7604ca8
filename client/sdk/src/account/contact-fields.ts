import type { ContactField } from '../customer/contact-data.ts'
import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { changeContactField, createContactField, deleteContactField, listContactFields } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ChangeContactFieldBody, CreateContactFieldBody } from '../shapes.generated.ts'

/** The catalog of fields: the platform's, and the account's own. */
export class ContactFields {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** `usertype`: only fields with exactly this value. */
  list(usertype?: ContactField['usertype'], options?: CallOptions): AsyncGenerator<ContactField, void, undefined> {
    const filter = usertype === undefined ? {} : { usertype }
    return everyItem((cursor) => this.#send(listContactFields, { query: { ...filter, ...pageQuery(cursor) } }, options))
  }

  create(field: CreateContactFieldBody, options?: CallOptions): Promise<ContactField> {
    return this.#send(createContactField, { body: field }, options)
  }

  /** Members that are left out stay as they are. Type and usertype are fixed once the field has a value. */
  change(fieldId: string, change: ChangeContactFieldBody, options?: CallOptions): Promise<ContactField> {
    return this.#send(changeContactField, { params: { id: fieldId }, body: change }, options)
  }

  /** Deletes the field with its value, also from services that follow it. */
  delete(fieldId: string, options?: CallOptions): Promise<void> {
    return this.#send(deleteContactField, { params: { id: fieldId } }, options)
  }
}
