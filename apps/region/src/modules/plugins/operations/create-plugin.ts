import { customerPolicy, describeFailure, targetRefusal } from '@sealpost/egress'
import type { UserId } from '@sealpost/kernel'
import { builtinPlugins, refuse } from '@sealpost/protocol'
import { publicUrls } from '../../../platform/public-urls.ts'
import { lockAccountForShare, recordAudit } from '../../account/index.ts'
import type { PluginsContext } from '../context.ts'
import type { Plugin, PluginId } from '../model.ts'
import { readPluginAddress } from '../rules/plugin-address.ts'
import { readNewToken } from '../rules/token.ts'
import { insertPlugin } from '../store/plugins.ts'
import type { PluginAnswer } from '../wire.ts'
import { showPlugin } from './read-plugins.ts'
import { sealToken } from './seal-token.ts'
import { signPass } from './sign-pass.ts'

export interface Actor {
  readonly companyId: UserId
  readonly actorId: string
}

export interface NewPluginAnswer {
  readonly plugin: PluginAnswer
  readonly pass: string
  readonly forwarder_url: string
}

export async function createPlugin(
  plugins: PluginsContext,
  actor: Actor,
  body: { readonly base_url?: unknown; readonly token?: unknown },
): Promise<NewPluginAnswer> {
  const { base_url: given } = body
  const token = readNewToken(body.token)
  if (typeof given !== 'string' || given === '' || !token.ok) throw refuse('plugins.body_invalid')
  // An address that cannot be used is refused before the front door is asked.
  requireAddress(plugins, given, [])
  const pluginId: PluginId = plugins.ids.uuid()
  const signed = await signPass(plugins, { kind: 'registry', companyId: actor.companyId, pluginIds: [pluginId] })
  return insertNew(plugins, actor, signed, {
    pluginId,
    baseUrl: requireAddress(plugins, given, [signed.forwarder_url]),
    builtinKey: null,
    token: token.value === null ? null : sealToken(plugins.settings.DATA_KEY, pluginId, token.value),
  })
}

export async function enableBuiltin(plugins: PluginsContext, actor: Actor, key: string): Promise<NewPluginAnswer> {
  if (!builtinPlugins.some((builtin) => builtin.key === key)) throw refuse('plugins.builtin_unknown')
  const pluginId: PluginId = plugins.ids.uuid()
  const signed = await signPass(plugins, { kind: 'registry', companyId: actor.companyId, pluginIds: [pluginId] })
  return insertNew(plugins, actor, signed, { pluginId, baseUrl: null, builtinKey: key, token: null })
}

/** `further`: addresses of the platform beside those of its settings. */
function requireAddress({ settings }: PluginsContext, given: string, further: readonly string[]): string {
  const policy = customerPolicy(settings, [...publicUrls(settings), ...further])
  const address = readPluginAddress(given, {
    allowsPrivate: settings.ALLOW_PRIVATE_TARGETS,
    refusalOf(url) {
      const reason = targetRefusal(policy, url)
      return reason === null ? null : describeFailure({ kind: 'refused', reason })
    },
  })
  if (address.ok) return address.value
  throw refuse('plugins.url_invalid', undefined, {
    sentence: `The plugin address cannot be used: ${address.refusal}`,
  })
}

async function insertNew(
  plugins: PluginsContext,
  { companyId, actorId }: Actor,
  signed: { readonly pass: string; readonly forwarder_url: string },
  given: Pick<Plugin, 'pluginId' | 'baseUrl' | 'builtinKey' | 'token'>,
): Promise<NewPluginAnswer> {
  const at = plugins.clock.now()
  const plugin = { ...given, companyId, description: null, refreshedAt: null, lastError: null, createdAt: at }
  return plugins.database.transaction(async (tx) => {
    // No row is added while the account is being erased.
    if (!(await lockAccountForShare(tx, companyId))) throw refuse('auth.token_invalid')
    if (!(await insertPlugin(tx, plugin))) throw refuse('plugins.duplicate')
    await recordAudit(tx, { companyId, actorId, action: 'plugins.create', ref: plugin.pluginId, at })
    const answer = { plugin: await showPlugin(plugins, tx, plugin), ...signed }
    await tx.storeAnswer(answer)
    return answer
  })
}
