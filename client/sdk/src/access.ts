import { Secret } from '@sealpost/kernel'
import { type Address, parseApiUrl } from './address.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { exchange, isRecord } from './exchange.ts'
import type { Access, Caller } from './options.ts'
import { allowRepeats, waitToRepeat } from './repeat.ts'

const RENEW_EARLY_SECONDS = 30
const TOKEN_PATH = '/oauth2/token'

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
      await waitToRepeat(caller.wire, repeats, error, isUnanswered(error), undefined)
    }
  }
}
