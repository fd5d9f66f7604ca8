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

  /** While one is open, asking the same person again answers that one. The feed tells how it was answered. */
  create(request: CreateConnectRequestBody, options?: CallOptions): Promise<CreateConnectRequestAnswer> {
    return this.#send(createConnectRequest, { body: request }, options)
  }
}
