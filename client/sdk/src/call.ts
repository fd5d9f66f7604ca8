import { describeUnknownMember, findUnknownMembers } from '@sealpost/kernel'
import { currentAccess, forgetAccess, rebaseAccess, secretsOf } from './access.ts'
import { type Address, addressOf, parseApiUrl } from './address.ts'
import type { Access, Caller } from './caller.ts'
import { isSealpostError, UnexpectedAnswerError } from './errors.ts'
import { exchange, isRecord, type Success } from './exchange.ts'
import type { CallOptions } from './options.ts'
import { allowRepeats, type RepeatPolicy, type Repeats, waitToRepeat } from './repeat.ts'
import type { Route, RouteInput } from './route.ts'

interface Plan {
  readonly route: Pick<Route<RouteInput, unknown>, 'method' | 'path' | 'answers' | 'takes' | 'repeatable'>
  readonly input: RouteInput
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal | undefined
  readonly base: Address | undefined
}

/** The recoveries that one call has left: one new token, one new address, and some repeats. */
interface Chances {
  renewal: boolean
  rebase: boolean
  readonly repeats: Repeats
}

/** Sends a call to the caller's region, or to `base`, with token, repeats, rebase and Idempotency-Key. */
export async function call<Input extends RouteInput, Answer>(
  caller: Caller,
  route: Route<Input, Answer>,
  input: Input,
  options: CallOptions = {},
  base?: Address,
): Promise<Answer> {
  refuseUnknownMembers(route, input)
  const idempotencyKey = idempotencyKeyOf(route, options)
  const plan: Plan = { route, input, idempotencyKey, signal: options.signal, base }
  const policy = policyOf(plan)
  return attempt(caller, policy, plan.signal, async (access) =>
    answerOf<Answer>(plan, access, await send(caller, access, plan)),
  )
}

/** Members that a message of an error names. */
const MOST_NAMED = 5

/** The platform ignores members that it does not know, so a misspelled one would be lost. */
function refuseUnknownMembers(
  { method, path, takes }: Pick<Route<RouteInput, unknown>, 'method' | 'path' | 'takes'>,
  { body }: RouteInput,
): void {
  if (takes === undefined) return
  const unknown = findUnknownMembers(takes, body, MOST_NAMED)
  if (unknown.length === 0) return
  throw new TypeError(`${method} ${path} was not sent: ${unknown.map(describeUnknownMember).join('; ')}`)
}

/** Runs a request with a token, and repeats it while the policy allows. */
export async function attempt<Answer>(
  caller: Caller,
  policy: RepeatPolicy,
  signal: AbortSignal | undefined,
  request: (access: Access) => Promise<Answer>,
): Promise<Answer> {
  const chances: Chances = { renewal: true, rebase: true, repeats: allowRepeats() }
  for (;;) {
    const access = await currentAccess(caller, signal)
    try {
      return await request(access)
    } catch (error) {
      await recover(caller, access, { policy, signal, chances }, error)
    }
  }
}

function send(caller: Caller, access: Access, plan: Plan): Promise<Success> {
  const { route, input, idempotencyKey } = plan
  return exchange(caller.wire, {
    method: route.method,
    url: addressOf(plan.base ?? access.apiUrl, route.path, input.params ?? {}, input.query ?? {}),
    headers: {
      authorization: `Bearer ${access.token.reveal()}`,
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    secrets: [access.token, ...secretsOf(caller.source)],
    signal: plan.signal,
  })
}

/** Returns when the call may be repeated, otherwise throws the error. */
async function recover(
  caller: Caller,
  access: Access,
  { policy, signal, chances }: { policy: RepeatPolicy; signal: AbortSignal | undefined; chances: Chances },
  error: unknown,
): Promise<void> {
  if (chances.rebase && isSealpostError(error, 'region.rebase_required')) {
    const address = parseApiUrl(error.details.api_url, access.apiUrl)
    if (!address.ok) throw error
    chances.rebase = false
    rebaseAccess(caller, access, address.value)
  } else if (chances.renewal && isTokenRefused(error)) {
    chances.renewal = false
    forgetAccess(caller, access)
  } else {
    await waitToRepeat(caller.wire, chances.repeats, error, policy, signal)
  }
}

/** Other 401 answers concern a password or a code: a repeat would use up one of the user's tries. */
function isTokenRefused(error: unknown): boolean {
  return isSealpostError(error) && error.status === 401 && error.key.startsWith('auth.')
}

function policyOf({ route, idempotencyKey }: Plan): RepeatPolicy {
  const isRead = route.method === 'GET'
  const isSafe = isRead || route.repeatable === true
  return { afterSilence: isSafe || idempotencyKey !== undefined, afterServerError: isSafe }
}

/** All repeats of a call have the same key, so that it takes effect once. */
function idempotencyKeyOf(route: { readonly creates?: true }, options: CallOptions): string | undefined {
  if (route.creates !== true) return undefined
  const key = options.idempotencyKey ?? crypto.randomUUID()
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters without spaces')
}

function answerOf<Answer>(plan: Plan, access: Access, success: Success): Answer {
  const { body, status, requestId } = success
  const missing = plan.route.answers.filter((member) => !(isRecord(body) ? member in body : Array.isArray(body)))
  if (missing.length > 0) {
    const message = `${plan.route.method} ${plan.base ?? access.apiUrl}${plan.route.path} was answered without ${missing.join(', ')}`
    throw new UnexpectedAnswerError(message, { status, requestId, retryAfterSeconds: undefined })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the route promises this shape; its required members were checked above
  return body as Answer
}
