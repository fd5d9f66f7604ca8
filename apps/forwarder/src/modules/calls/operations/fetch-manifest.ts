import { readJson } from '@sealpost/http'
import { PLUGIN_LIMITS } from '@sealpost/plugin'
import type { RefreshOutcome } from '@sealpost/protocol'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import type { Place } from '../../../platform/plugin-places.ts'
import type { CallsContext } from '../context.ts'
import type { PluginServer } from '../model.ts'
import { readManifest } from '../rules/read-manifest.ts'
import { errorOfFailure, errorOfStatus } from '../rules/refresh-error.ts'
import { requestOf } from './request-of.ts'

export async function fetchManifest(
  context: Pick<CallsContext, 'egress' | 'settings'>,
  plugin: PluginServer,
  place: Place,
  withinMs: number,
): Promise<RefreshOutcome> {
  const request = requestOf(context, plugin, 'manifest', place.budgetMs(withinMs))
  if (request === null) return { ok: false, error: 'address_refused' }
  const sent = await context.egress.send({ ...request, method: 'GET', maxResponseBytes: PLUGIN_LIMITS.manifestBytes })
  if (!sent.ok) return { ok: false, error: errorOfFailure(sent.refusal) }
  const { status, body } = sent.value
  const error = errorOfStatus(status)
  if (error !== null) return { ok: false, error }
  const read = readJson(body)
  if (!read.ok) return { ok: false, error: 'malformed' }
  const manifest = readManifest(cryptoPlatform, read.value)
  return manifest.ok ? { ok: true, description: manifest.value } : { ok: false, error: manifest.refusal }
}
