import { readJson } from '@sealpost/http'
import { PLUGIN_MESSAGE_CHARACTERS, type RefreshOutcome } from '@sealpost/protocol'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import { type Place, REFETCH_MS } from '../../../platform/plugin-places.ts'
import type { CallsContext } from '../context.ts'
import type { PluginServer } from '../model.ts'
import { mayHaveReply, readReply } from '../rules/read-reply.ts'
import { errorOfFailure } from '../rules/refresh-error.ts'
import { fetchManifest } from './fetch-manifest.ts'
import { requestOf } from './request-of.ts'

export type ServerAnswer =
  | { readonly kind: 'reply'; readonly reply: string }
  /** The question was sealed to another key than the plugin has now. */
  | { readonly kind: 'key_unknown'; readonly outcome: RefreshOutcome }
  | { readonly kind: 'unanswered'; readonly reason: string }

/** The member around the reply, and the escapes of its quotes. */
const MOST_BYTES = PLUGIN_MESSAGE_CHARACTERS + 1024

export async function askServer(
  context: CallsContext,
  plugin: PluginServer,
  place: Place,
  question: string,
): Promise<ServerAnswer> {
  const request = requestOf(context, plugin, 'call', place.budgetMs(context.settings.PLUGIN_TIMEOUT_MS))
  if (request === null) return { kind: 'unanswered', reason: 'address_refused' }
  const sent = await context.egress.send({
    ...request,
    method: 'POST',
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ request: question }),
    maxResponseBytes: MOST_BYTES,
    // A question changes nothing at the plugin.
    isRepeatable: true,
  })
  if (!sent.ok) return { kind: 'unanswered', reason: errorOfFailure(sent.refusal) }
  const { status, body } = sent.value
  // Error pages are not parsed.
  if (!mayHaveReply(status)) return { kind: 'unanswered', reason: `status ${status}` }
  const read = readJson(body)
  if (!read.ok) return { kind: 'unanswered', reason: `status ${status}, and the body ${read.refusal.message}` }
  const answer = readReply(cryptoPlatform, status, read.value)
  if (answer.kind === 'unusable') return { kind: 'unanswered', reason: `status ${status}` }
  if (answer.kind === 'reply') return answer
  return { kind: 'key_unknown', outcome: await fetchManifest(context, plugin, place, REFETCH_MS) }
}
