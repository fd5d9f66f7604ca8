import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { declineConsent, listConsents, provideConsent, readCompanyConnection } from '../routes.generated.ts'
import type { ListConsentsAnswer } from '../shapes.generated.ts'
import { nextRecord, trustedRecord } from './connection-record.ts'
import { linkOf } from './connections.ts'
import type { ContactData } from './contact-data.ts'
import { type AnswerOptions, type CustomerAnswers, linksOf, sendDecisions } from './decisions.ts'
import type { OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/** A request of a service that is still undecided. Its id is that of the connection. */
export type Consent = ListConsentsAnswer['consents'][number]

export class Consents {
  readonly #session: CustomerSession
  readonly #contactData: ContactData

  constructor(session: CustomerSession, contactData: ContactData) {
    this.#session = session
    this.#contactData = contactData
  }

  list(options?: CallOptions): AsyncGenerator<Consent, void, undefined> {
    return everyItem(async (cursor) => {
      const page = await this.#session.send(listConsents, { query: pageQuery(cursor) }, options)
      return { items: page.consents, next_cursor: page.next_cursor }
    })
  }

  /** Fields that are left out stay pending. */
  async provide(connectionId: string, answers: CustomerAnswers, options?: AnswerOptions): Promise<OwnConnection> {
    const { send } = this.#session
    const params = { id: connectionId }
    const connection = await send(readCompanyConnection, { params }, options)
    const { public_key: publicKey, request_fields: rows } = linkOf(connection)
    const before = await trustedRecord(this.#session, connection)
    const record = nextRecord(this.#session, before, { ...before.links, ...linksOf(rows, answers) })
    const asking = { publicKey, rows, record }
    return sendDecisions(this.#session, this.#contactData, asking, answers, options, (body) =>
      send(provideConsent, { params, body }, options),
    )
  }

  /** Declines all pending fields, or these. The connection stays. */
  decline(connectionId: string, requestFieldIds?: readonly string[], options?: CallOptions): Promise<OwnConnection> {
    const body = requestFieldIds === undefined ? {} : { request_field_ids: requestFieldIds }
    return this.#session.send(declineConsent, { params: { id: connectionId }, body }, options)
  }
}
