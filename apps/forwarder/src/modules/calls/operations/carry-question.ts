import { refuse, type RefreshOutcome } from '@sealpost/protocol'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import type { Pass } from '../../passes/index.ts'
import type { CallsContext } from '../context.ts'
import type { PluginName } from '../model.ts'
import { findCovered } from '../rules/covered.ts'
import { isMessage } from '../rules/read-reply.ts'
import { askServer, type ServerAnswer } from './ask-server.ts'

export interface CallBody {
  readonly pass?: unknown
  readonly plugin_id?: unknown
  readonly request?: unknown
}

/** Answers the sealed reply. */
export async function carryQuestion(context: CallsContext, body: CallBody): Promise<string> {
  const pass = await context.passes.verify(body.pass)
  const covered = findCovered(pass, 'call', body.plugin_id)
  if (!covered.ok) throw refuse(covered.refusal)
  const { request } = body
  if (!isMessage(cryptoPlatform, request)) throw refuse('plugin.request_invalid')
  const name = { companyId: pass.companyId, pluginId: covered.value }
  const plugin = await context.registry.open(pass.region, name)
  if (!plugin.isDescribed) throw refuse('plugin.not_responding')
  const answer = await context.places.use(name.pluginId, (place) =>
    plugin.builtinKey === null
      ? askServer(context, plugin, place, request)
      : askBuiltin(context, plugin.builtinKey, request),
  )
  if (answer.kind === 'reply') return answer.reply
  if (answer.kind === 'key_unknown') return refuseWithKey(context, pass, name, answer.outcome)
  return refuseUnanswered(context, name, answer.reason)
}

async function askBuiltin({ builtins }: CallsContext, key: string, request: string): Promise<ServerAnswer> {
  const reply = await builtins.answer(key, request)
  if (reply.ok) return { kind: 'reply', reply: reply.value }
  if (reply.refusal === 'key_unknown') return { kind: 'key_unknown', outcome: builtins.describe(key) }
  return { kind: 'unanswered', reason: reply.refusal }
}

/** The caller gets the key also when its region cannot store it now: the next caller is told in the same way. */
async function refuseWithKey(
  { registry, telemetry }: CallsContext,
  { region }: Pass,
  name: PluginName,
  outcome: RefreshOutcome,
): Promise<never> {
  await registry.store(region, name, outcome).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown'
    telemetry.log.warn({ plugin_id: name.pluginId, reason }, 'the description of a plugin could not be stored')
  })
  if (!outcome.ok) throw refuse('plugin.not_responding')
  const { public_key, key_rollovers = [] } = outcome.description
  throw refuse('plugin.key_changed', { public_key, key_rollovers })
}

function refuseUnanswered({ telemetry }: CallsContext, name: PluginName, reason: string): never {
  telemetry.log.info({ plugin_id: name.pluginId, reason }, 'a plugin gave no usable answer')
  throw refuse('plugin.not_responding')
}
