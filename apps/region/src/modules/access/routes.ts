import type { Route } from '@sealpost/http'
import { ApiError, type ErrorKey, errorCatalog, refuse, relayedToken } from '@sealpost/protocol'
import type { Caller } from '../../platform/caller.ts'
import type { Guard } from './guard/index.ts'
import type { RelayedAnswer, TokenRequest } from './model.ts'

export interface TokenRouteOptions {
  readonly guard: Guard
  /** The address of this region. */
  readonly apiUrl: string | null
  readonly frontDoorUrl: string
  /** Asks the front door, which alone signs tokens. */
  relay(request: TokenRequest): Promise<RelayedAnswer>
}

type TokenRoute = Route<typeof relayedToken, Caller, undefined>

/**
 * The token endpoint at a regional base: relays requests to the front door, also those of clients whose home is another
 * region, so that a running client follows a move with its next token. Codes are exchanged at the front door only. Bound
 * without the platform gate: client credentials are answered while the region is out of order.
 */
export function tokenRoute(context: TokenRouteOptions): TokenRoute {
  return {
    operation: relayedToken,
    async handle({ call, body: form }) {
      const { authorization } = call
      const grant = form['grant_type']
      if (grant !== 'client_credentials' && (await context.guard.switches()).outOfOrder) {
        throw refuse('platform.out_of_order')
      }
      if (grant === 'authorization_code') throw refuse('region.rebase_required', { api_url: context.frontDoorUrl })
      const relayed = await context.relay({ form, authorization: isBasic(authorization) ? authorization : null })
      return readAnswer(relayed, context.apiUrl)
    },
  }
}

type TokenAnswer = Awaited<ReturnType<TokenRoute['handle']>>

/** `api_url` is left out at home. */
function readAnswer({ status, body, retryAfterSeconds }: RelayedAnswer, here: string | null): TokenAnswer {
  if (status !== 200) throw refusalOf(body, retryAfterSeconds)
  const { api_url: home, ...answer } = body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the front door's own answer to the same operation
  return (home === here ? answer : body) as TokenAnswer
}

function refusalOf(body: RelayedAnswer['body'], retryAfterSeconds: number | null): ApiError {
  const { error_key: key, error, error_description: described, ...details } = body
  if (!isErrorKey(key)) return refuse('platform.internal_error')
  const sentence = described ?? error
  return new ApiError(key, details, {
    ...(typeof sentence === 'string' ? { sentence } : {}),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  })
}

function isErrorKey(key: unknown): key is ErrorKey {
  return typeof key === 'string' && Object.hasOwn(errorCatalog, key)
}

const BASIC = /^basic +([A-Za-z0-9+/=]+)$/i

function isBasic(authorization: string | null): boolean {
  return authorization !== null && BASIC.test(authorization)
}
