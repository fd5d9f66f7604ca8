import { readPhoto } from '../files/read-photo.ts'
import { pinService } from '../keys/pins.ts'
import type { CallOptions } from '../options.ts'
import { changeMappings, disconnect, readCompanyConnection } from '../routes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import {
  type ConnectionRecord,
  forgetRecord,
  newRecord,
  nextRecord,
  refuseEnded,
  trustedRecord,
} from './connection-record.ts'
import type { ContactData } from './contact-data.ts'
import { type AnswerOptions, type CustomerAnswer, type CustomerAnswers, linksOf, sendDecisions } from './decisions.ts'
import { listOwnConnections, type OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'
import { openTyped } from './typed-values.ts'

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
  async disconnect(connectionId: string, options?: CallOptions): Promise<void> {
    await this.#session.send(disconnect, { params: { id: connectionId } }, options)
    await forgetRecord(this.#session, connectionId)
  }

  /** Changes these answers; null withdraws one. Slugs that are not named stay as they are. */
  async remap(
    connectionId: string,
    changes: Readonly<Record<string, CustomerAnswer | null>>,
    options?: AnswerOptions,
  ): Promise<OwnConnection> {
    const connection = await this.get(connectionId, options)
    const link = linkOf(connection)
    const before = await trustedRecord(this.#session, connection)
    const answers: CustomerAnswers = Object.fromEntries(
      Object.entries(changes).filter((entry): entry is [string, CustomerAnswer] => entry[1] !== null),
    )
    const staying = (of: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(of).filter(([slug]) => !(slug in changes)))
    const links = { ...staying(before.links), ...linksOf(link.request_fields, answers) }
    const record = nextRecord(this.#session, before, links, staying(before.typed ?? {}))
    const asking = { publicKey: link.public_key, rows: link.request_fields, record }
    const withdrawn = withdrawalsOf(link, changes)
    const params = { id: connectionId, serviceLinkId: link.service_link_id }
    return sendDecisions(this.#session, this.#contactData, asking, answers, options, ({ decisions, ...members }) =>
      this.#session.send(
        changeMappings,
        { params, body: { decisions: [...withdrawn, ...decisions], ...members } },
        options,
      ),
    )
  }

  /**
   * What the customer has typed for this service alone, by slug: the service can open its copy, these are the customer's
   * own. Empty without the private key, for files, and for values that were typed before the SDK kept them.
   */
  async typedValues(connection: OwnConnection): Promise<Readonly<Record<string, string>>> {
    const key = await this.#session.findKey()
    const record = key === null ? null : await findTrusted(this.#session, connection)
    if (key === null || record === null) return {}
    const typed = linkOf(connection).mappings.filter(({ source_field_id: source }) => source === null)
    return openTyped(
      key,
      record,
      typed.map(({ slug }) => slug),
    )
  }

  /**
   * States that the customer made this connection, with the fields that it follows and the key of the service as they are
   * now. Ask the user first and show the service's name and fields: afterwards edits of these fields are sealed to that
   * key. Needed for a connection that was made without this SDK, and by clients without a `key` that have lost their pins.
   */
  async confirm(connectionId: string, options?: CallOptions): Promise<OwnConnection> {
    await refuseEnded(this.#session, connectionId)
    const connection = await this.get(connectionId, options)
    const link = linkOf(connection)
    const code = `${connection.company.share_code}/${link.service_code}`
    const service = { code, id: link.service_id, publicKey: link.public_key }
    const service_key = await pinService(this.#session.pins, service)
    const live = link.mappings.flatMap(({ live: isLive, slug, source_field_id: source }) =>
      isLive && source !== null ? [[slug, source] as const] : [],
    )
    const about = { code, service_key, links: Object.fromEntries(live) }
    const before = await findTrusted(this.#session, connection)
    // The binding stays where it is known: services know the connection's signatures by it.
    const record =
      before === null
        ? newRecord(this.#session, about)
        : nextRecord(this.#session, { ...before, ...about }, about.links)
    const asking = { publicKey: link.public_key, rows: link.request_fields, record }
    const params = { id: connectionId, serviceLinkId: link.service_link_id }
    return sendDecisions(this.#session, this.#contactData, asking, {}, options, (members) =>
      this.#session.send(changeMappings, { params, body: members }, options),
    )
  }
}

async function findTrusted(session: CustomerSession, connection: OwnConnection): Promise<ConnectionRecord | null> {
  try {
    return await trustedRecord(session, connection)
  } catch (error) {
    if (error instanceof UntrustedAnswerError) return null
    throw error
  }
}

/** A connection has exactly one service. */
export function linkOf({ id, services }: OwnConnection): OwnConnection['services'][number] {
  const [link] = services
  if (link === undefined) throw new TypeError(`connection ${id} has no service`)
  return link
}

/** Decisions that withdraw the answers with these slugs. */
function withdrawalsOf(link: OwnConnection['services'][number], changes: Readonly<Record<string, unknown>>) {
  return link.mappings
    .filter(({ slug }) => changes[slug] === null)
    .map(({ request_field_id }) => ({ request_field_id, kind: 'none' as const }))
}
