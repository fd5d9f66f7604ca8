import { call } from './call.ts'
import { type Caller, openCaller } from './caller.ts'
import type { CallOptions, ServiceClientOptions } from './options.ts'
import { whoami } from './routes.generated.ts'
import type { WhoamiAnswer } from './shapes.generated.ts'

/**
 * Speaks for one service. Logs in at the front door when it is first needed, keeps the token for its lifetime
 * and sends every call to the region that the service lives in.
 */
export class ServiceClient {
  readonly #caller: Caller

  constructor(options: ServiceClientOptions) {
    this.#caller = openCaller(options)
  }

  /** The company user and the service that this client speaks for. */
  whoami(options?: CallOptions): Promise<WhoamiAnswer> {
    return call(this.#caller, whoami, {}, options)
  }
}
