import { Secret } from '@sealpost/kernel'
import { untilAborted } from './abort.ts'
import { type Address, parseAddress, parseApiUrl } from './address.ts'
import type { Access, AccessSource, Caller } from './caller.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { exchange, isRecord, type Success } from './exchange.ts'
import { allowRepeats, type RepeatPolicy, waitToRepeat } from './repeat.ts'

const RENEW_EARLY_SECONDS = 30
const TOKEN_PATH = '/oauth2/token'
/** Issuing a token changes nothing, so a request without an answer may be repeated. */
const TOKEN_REQUEST: RepeatPolicy = { afterSilence: true, afterServerError: false }

/** The current token, or a new one. Concurrent calls share one token request. */
export function currentAccess(caller: Caller, signal: AbortSignal | undefined): Promise<Access> {
  const { access } = caller
  if (access !== null && caller.wire.now() < access.renewAtMs) return Promise.resolve(access)
  caller.renewal ??= renewAccess(caller).finally(() => {
    caller.renewal = null
  })
  return untilAborted(caller.renewal, signal)
}

/** Drops the refused token only: another call may have renewed it meanwhile. */
export function forgetAccess(caller: Caller, refused: Access): void {
  if (caller.access === refused) caller.access = null
}

export function rebaseAccess(caller: Caller, refused: Access, apiUrl: Address): void {
  if (caller.access === refused) caller.access = { ...refused, apiUrl }
  caller.wire.log({ kind: 'rebased', apiUrl })
}

/** Secrets that no error may repeat, even if a server sends them back. */
export function secretsOf(source: AccessSource): readonly Secret<string>[] {
  return source.kind === 'front_door' ? source.clientSecret.known() : []
}

/** Serves all waiting calls, so the signal of one of them does not end it. */
async function renewAccess(caller: Caller): Promise<Access> {
  const { source } = caller
  const access = source.kind === 'handed' ? await askForAccess(caller, source) : await requestAccess(caller, source)
  caller.access = access
  caller.wire.log({ kind: 'token_renewed', apiUrl: access.apiUrl })
  return access
}

async function requestAccess(caller: Caller, source: FrontDoor): Promise<Access> {
  const repeats = allowRepeats()
  for (;;) {
    const requestedMs = caller.wire.now()
    try {
      return parseAccess(source, await requestToken(caller, source), requestedMs)
    } catch (error) {
      await waitToRepeat(caller.wire, repeats, error, TOKEN_REQUEST, undefined)
    }
  }
}

type FrontDoor = Extract<AccessSource, { kind: 'front_door' }>

async function requestToken({ wire }: Caller, { frontDoor, clientId, clientSecret }: FrontDoor): Promise<Success> {
  const secret = await clientSecret.read()
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret.reveal() }
  return exchange(wire, {
    method: 'POST',
    url: `${frontDoor}${TOKEN_PATH}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    secrets: [secret],
    signal: undefined,
  })
}

function parseAccess({ frontDoor }: FrontDoor, { body, requestId }: Success, requestedMs: number): Access {
  const members = isRecord(body) ? body : {}
  const { access_token: token, expires_in: lifetimeSeconds, api_url: apiUrl } = members
  const address = parseApiUrl(apiUrl, frontDoor)
  if (!address.ok) throw badToken(frontDoor, requestId, `its api_url ${address.refusal}; is this the front door?`)
  if (!isToken(token)) throw badToken(frontDoor, requestId, 'it has no token')
  if (!isLifetime(lifetimeSeconds)) {
    throw badToken(frontDoor, requestId, 'its expires_in is not a number of seconds')
  }
  return { token: new Secret(token), apiUrl: address.value, renewAtMs: renewalTime(requestedMs, lifetimeSeconds) }
}

/** The page decides how to log in and when to give up; its token is validated like any answer. */
async function askForAccess(caller: Caller, { ask }: Extract<AccessSource, { kind: 'handed' }>): Promise<Access> {
  const requestedMs = caller.wire.now()
  const { token, apiUrl, expiresInSeconds } = await ask()
  const address = parseAddress(apiUrl)
  if (!address.ok) throw new TypeError(`the apiUrl of accessToken() ${address.refusal}`)
  if (!isToken(token)) throw new TypeError('accessToken() returned no token')
  if (expiresInSeconds !== undefined && !isLifetime(expiresInSeconds)) {
    throw new TypeError('the expiresInSeconds of accessToken() is not a number of seconds')
  }
  const renewAtMs = expiresInSeconds === undefined ? Infinity : renewalTime(requestedMs, expiresInSeconds)
  return { token: new Secret(token), apiUrl: address.value, renewAtMs }
}

/** `fetch` quotes an invalid header in its error, so an invalid token must not reach it. */
function isToken(token: unknown): token is string {
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)
}

function isLifetime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds > 0
}

function renewalTime(requestedMs: number, lifetimeSeconds: number): number {
  return requestedMs + (lifetimeSeconds - RENEW_EARLY_SECONDS) * 1000
}

function badToken(frontDoor: Address, requestId: string, problem: string): UnexpectedAnswerError {
  const message = `POST ${frontDoor}${TOKEN_PATH} gave an unusable answer: ${problem}`
  return new UnexpectedAnswerError(message, { status: 200, requestId, retryAfterSeconds: undefined })
}
