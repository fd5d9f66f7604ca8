import { secretsOf } from '../access.ts'
import { addressOf } from '../address.ts'
import { attempt } from '../call.ts'
import type { Caller } from '../caller.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import { exchange } from '../exchange.ts'
import type { CallOptions } from '../options.ts'
import { FieldTypes } from './field-types.ts'

/** The platform's cache lifetime; after it, a conditional request checks for changes. */
const FRESH_MS = 300_000
const PATH = '/api/contact-field-types'

interface Kept {
  readonly types: FieldTypes
  readonly etag: string | undefined
  readonly freshUntilMs: number
}

/** The live registry of field types, read on first use and cached for five minutes. */
export class RegistryCache {
  readonly #caller: Caller
  #kept: Kept | null = null
  #reading: Promise<FieldTypes> | null = null

  constructor(caller: Caller) {
    this.#caller = caller
  }

  read(options: CallOptions = {}): Promise<FieldTypes> {
    const kept = this.#kept
    if (kept !== null && this.#caller.wire.now() < kept.freshUntilMs) return Promise.resolve(kept.types)
    this.#reading ??= this.#ask(kept, options).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #ask(kept: Kept | null, { signal }: CallOptions): Promise<FieldTypes> {
    const caller = this.#caller
    const policy = { afterSilence: true, afterServerError: true }
    return attempt(caller, policy, signal, async (access) => {
      const { status, body, etag, requestId } = await exchange(caller.wire, {
        method: 'GET',
        url: addressOf(access.apiUrl, PATH, {}, {}),
        headers: { authorization: `Bearer ${access.token.reveal()}`, ...this.#condition(kept) },
        body: undefined,
        secrets: [access.token, ...secretsOf(caller.source)],
        signal,
      })
      if (status !== 304 && !Array.isArray(body)) {
        const message = `GET ${access.apiUrl}${PATH} was answered without a list of types`
        throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
      }
      const types = kept !== null && status === 304 ? kept.types : new FieldTypes(Array.isArray(body) ? body : [])
      this.#kept = { types, etag: etag ?? kept?.etag, freshUntilMs: caller.wire.now() + FRESH_MS }
      return types
    })
  }

  /** None in a page: the platform's CORS rules do not allow the header. */
  #condition(kept: Kept | null): Readonly<Record<string, string>> {
    const isPage = this.#caller.wire.userAgent === null
    return kept?.etag === undefined || isPage ? {} : { 'if-none-match': kept.etag }
  }
}
