import { secretsOf } from '../access.ts'
import { attempt } from '../call.ts'
import type { Caller } from '../caller.ts'
import { exchangeStream } from '../exchange.ts'
import type { ReadStream } from '../streamed.ts'

const READ = { afterSilence: true, afterServerError: true }

/** An error of `use` because the body broke off counts as no answer, and the read is repeated. */
export function streamsOf(caller: Caller): ReadStream {
  return (addressFor, signal, use, headers = {}) =>
    attempt(caller, READ, signal, async (access) => {
      const answer = await exchangeStream(caller.wire, {
        method: 'GET',
        url: addressFor(access.apiUrl),
        headers: { accept: '*/*', ...headers, authorization: `Bearer ${access.token.reveal()}` },
        body: undefined,
        secrets: [access.token, ...secretsOf(caller.source)],
        signal,
      })
      return use(answer)
    })
}
