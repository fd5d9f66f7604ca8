import type { Route } from '@sealpost/http'
import { type ClientId, parseClientId } from '@sealpost/kernel'
import { ApiError, type ErrorKey, errorCatalog, refuse, relayedToken } from '@sealpost/protocol'
import type { Caller } from '../../platform/caller.ts'
import type { Guard } from './guard/index.ts'
import type { RelayedAnswer, TokenRequest } from './model.ts'

export interface TokenRouteOptions {
  readonly guard: Guard
  readonly frontDoorUrl: string
  /** Asks the front door, which alone signs tokens. */
  relay(request: TokenRequest): Promise<RelayedAnswer>
}

type TokenRoute = Route<typeof relayedToken, Caller, undefined>

/**
 * The token endpoint at a regional base: relays requests of this region's clients to the front door and refers all
 * others to it. Bound without the platform gate: client credentials are answered while the region is out of order.
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
      const clientId = readClientId(form['client_id'] ?? basicUser(authorization))
      const isOurs = clientId !== null && (await context.guard.findClient(clientId)) !== null
      if (grant === 'authorization_code' || !isOurs) {
        throw refuse('region.rebase_required', { api_url: context.frontDoorUrl })
      }
      return readAnswer(await context.relay({ form, authorization: isBasic(authorization) ? authorization : null }))
    },
  }
}

type TokenAnswer = Awaited<ReturnType<TokenRoute['handle']>>

function readAnswer({ status, body, retryAfterSeconds }: RelayedAnswer): TokenAnswer {
  if (status !== 200) throw refusalOf(body, retryAfterSeconds)
  const { api_url: _, ...answer } = body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the front door's own answer to the same operation
  return answer as TokenAnswer
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

function readClientId(text: string | null): ClientId | null {
  return text === null ? null : parseClientId(text)
}

const BASIC = /^basic +([A-Za-z0-9+/=]+)$/i

function isBasic(authorization: string | null): boolean {
  return authorization !== null && BASIC.test(authorization)
}

function basicUser(authorization: string | null): string | null {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return text.slice(0, Math.max(0, text.indexOf(':')))
}
