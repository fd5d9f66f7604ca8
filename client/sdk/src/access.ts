import { Secret } from '@sealpost/kernel'
import { untilAborted } from './abort.ts'
import { type Address, parseApiUrl } from './address.ts'
import type { Access, Caller } from './caller.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { exchange, isRecord, type Success } from './exchange.ts'
import { allowRepeats, type RepeatPolicy, waitToRepeat } from './repeat.ts'

const RENEW_EARLY_SECONDS = 30
const TOKEN_PATH = '/oauth2/token'
/** Issuing a token changes nothing, so silence may be answered by asking again. */
const TOKEN_REQUEST: RepeatPolicy = { afterSilence: true, afterServerError: false }

/** The token at hand, or a new one. Calls that need one at the same time share one request. */
export function currentAccess(caller: Caller, signal: AbortSignal | undefined): Promise<Access> {
  const { access } = caller
  if (access !== null && caller.wire.now() < access.renewAtMs) return Promise.resolve(access)
  caller.renewal ??= renewAccess(caller).finally(() => {
    caller.renewal = null
  })
  return untilAborted(caller.renewal, signal)
}

/** Another call may have renewed meanwhile; only the token that was refused is forgotten. */
export function forgetAccess(caller: Caller, refused: Access): void {
  if (caller.access === refused) caller.access = null
}

export function rebaseAccess(caller: Caller, refused: Access, apiUrl: Address): void {
  if (caller.access === refused) caller.access = { ...refused, apiUrl }
  caller.wire.log({ kind: 'rebased', apiUrl })
}

/** Serves every waiting call, so it does not end with the signal of one of them. */
async function renewAccess(caller: Caller): Promise<Access> {
  const repeats = allowRepeats()
  for (;;) {
    const requestedMs = caller.wire.now()
    try {
      const access = parseAccess(caller, await requestToken(caller), requestedMs)
      caller.access = access
      caller.wire.log({ kind: 'token_renewed', apiUrl: access.apiUrl })
      return access
    } catch (error) {
      await waitToRepeat(caller.wire, repeats, error, TOKEN_REQUEST, undefined)
    }
  }
}

function requestToken(caller: Caller): Promise<Success> {
  const { clientId, clientSecret } = caller
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret.reveal() }
  return exchange(caller.wire, {
    method: 'POST',
    url: `${caller.frontDoor}${TOKEN_PATH}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    secrets: [clientSecret],
    signal: undefined,
  })
}

function parseAccess(caller: Caller, { body, requestId }: Success, requestedMs: number): Access {
  const members = isRecord(body) ? body : {}
  const { access_token: token, expires_in: lifetimeSeconds, api_url: apiUrl } = members
  const address = parseApiUrl(apiUrl, caller.frontDoor)
  if (!address.ok) throw badToken(caller, requestId, `its api_url ${address.refusal}; is this the front door?`)
  // `fetch` quotes a header it cannot send in its error, so a token that is none must not get that far.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw badToken(caller, requestId, 'it has no token')
  if (typeof lifetimeSeconds !== 'number' || !(lifetimeSeconds > 0)) {
    throw badToken(caller, requestId, 'its expires_in is not a number of seconds')
  }
  const renewAtMs = requestedMs + (lifetimeSeconds - RENEW_EARLY_SECONDS) * 1000
  return { token: new Secret(token), apiUrl: address.value, renewAtMs }
}

function badToken(caller: Caller, requestId: string, problem: string): UnexpectedAnswerError {
  const message = `POST ${caller.frontDoor}${TOKEN_PATH} gave an answer that cannot be used: ${problem}`
  return new UnexpectedAnswerError(message, { status: 200, requestId, retryAfterSeconds: undefined })
}
