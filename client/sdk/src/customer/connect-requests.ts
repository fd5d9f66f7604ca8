import type { CallOptions } from '../options.ts'
import { everyItem, pageQuery } from '../pages.ts'
import { acceptConnectRequest, listReceivedConnectRequests, rejectConnectRequest } from '../routes.generated.ts'
import type { ListReceivedConnectRequestsAnswer, RejectConnectRequestAnswer } from '../shapes.generated.ts'
import type { ContactData } from './contact-data.ts'
import { type ConnectOptions, type CustomerAnswers, secondFactorMembers, sendDecisions } from './decisions.ts'
import { askingOf } from './offers.ts'
import type { OwnConnection } from './own-connections.ts'
import type { CustomerSession } from './session.ts'

export type ReceivedConnectRequest = ListReceivedConnectRequestsAnswer['connect_requests'][number]

/** Invitations from services; persons only. */
export class ReceivedConnectRequests {
  readonly #session: CustomerSession
  readonly #contactData: ContactData

  constructor(session: CustomerSession, contactData: ContactData) {
    this.#session = session
    this.#contactData = contactData
  }

  /** The open requests, oldest first. */
  list(options?: CallOptions): AsyncGenerator<ReceivedConnectRequest, void, undefined> {
    return everyItem(async (cursor) => {
      const page = await this.#session.send(listReceivedConnectRequests, { query: pageQuery(cursor) }, options)
      return { items: page.connect_requests, next_cursor: page.next_cursor }
    })
  }

  /** Connects to the inviting service, with answers as in `connect`. */
  async accept(
    request: ReceivedConnectRequest,
    answers: CustomerAnswers,
    options?: ConnectOptions,
  ): Promise<OwnConnection> {
    const { send } = this.#session
    const code = `${request.company.share_code ?? ''}/${request.service.code}`
    const asking = await askingOf(this.#session, code, answers, options)
    return sendDecisions(this.#session, this.#contactData, asking, answers, options, (members) =>
      send(
        acceptConnectRequest,
        { params: { id: request.id }, body: { ...members, ...secondFactorMembers(options) } },
        options,
      ),
    )
  }

  /** The service may ask again after 30 days. */
  reject(requestId: string, options?: CallOptions): Promise<RejectConnectRequestAnswer> {
    return this.#session.send(rejectConnectRequest, { params: { id: requestId }, body: {} }, options)
  }
}
