import { readPhoto } from '../files/read-photo.ts'
import type { CallOptions } from '../options.ts'
import { changeMappings, disconnect, readCompanyConnection } from '../routes.generated.ts'
import type { ContactData } from './contact-data.ts'
import { type CustomerAnswer, type CustomerAnswers, sendDecisions } from './decisions.ts'
import { listOwnConnections, type OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

/** The services that the customer is connected to. */
export class OwnConnections {
  readonly #session: CustomerSession
  readonly #contactData: ContactData

  constructor(session: CustomerSession, contactData: ContactData) {
    this.#session = session
    this.#contactData = contactData
  }

  /** All connections, oldest first, read page by page. */
  list(options?: CallOptions): AsyncGenerator<OwnConnection, void, undefined> {
    return listOwnConnections(this.#session.send, options)
  }

  get(connectionId: string, options?: CallOptions): Promise<OwnConnection> {
    return this.#session.send(readCompanyConnection, { params: { id: connectionId } }, options)
  }

  /** A photo of the company's business card, a JPEG; `photo_ids` of the connection lists them. */
  readPhoto(connectionId: string, photoId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    const path = '/api/company-connections/{id}/photos/{photoId}'
    return readPhoto(this.#session.readStream, path, { id: connectionId, photoId }, signal)
  }

  /** Ends the connection; the shared values are deleted at the service. */
  disconnect(connectionId: string, options?: CallOptions): Promise<void> {
    return this.#session.send(disconnect, { params: { id: connectionId } }, options)
  }

  /** Changes these answers; null withdraws one. Slugs that are not named stay as they are. */
  async remap(
    connectionId: string,
    changes: Readonly<Record<string, CustomerAnswer | null>>,
    options?: CallOptions,
  ): Promise<OwnConnection> {
    const link = linkOf(await this.get(connectionId, options))
    const asking = { serviceId: link.service_id, publicKey: link.public_key, rows: link.request_fields }
    const answers: CustomerAnswers = Object.fromEntries(
      Object.entries(changes).filter((entry): entry is [string, CustomerAnswer] => entry[1] !== null),
    )
    const kept = link.mappings
      .filter(({ slug, live }) => live && !(slug in changes))
      .map(({ request_field_id, kind, source_field_id }) => ({ request_field_id, kind, source_field_id }))
    const params = { id: connectionId, serviceLinkId: link.service_link_id }
    return sendDecisions(this.#session, this.#contactData, asking, answers, options, (decided) =>
      this.#session.send(changeMappings, { params, body: { decisions: [...kept, ...decided] } }, options),
    )
  }
}

/** A connection has exactly one service. */
export function linkOf({ id, services }: OwnConnection): OwnConnection['services'][number] {
  const [link] = services
  if (link === undefined) throw new TypeError(`connection ${id} has no service`)
  return link
}
