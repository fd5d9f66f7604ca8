import type { CallOptions } from '../options.ts'
import { createConnectRequest } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { CreateConnectRequestAnswer, CreateConnectRequestBody } from '../shapes.generated.ts'

/** Invitations to connect. */
export class ConnectRequests {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Returns the open request of the same person, if there is one. The feed contains the person's answer. */
  create(request: CreateConnectRequestBody, options?: CallOptions): Promise<CreateConnectRequestAnswer> {
    return this.#send(createConnectRequest, { body: request }, options)
  }
}
