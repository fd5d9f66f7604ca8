import type { EgressRequest } from '@sealpost/egress'
import type { CallsContext } from '../context.ts'
import type { PluginServer } from '../model.ts'

/** The parts that both requests to a plugin have; null for an address without TLS. No redirect is followed. */
export function requestOf(
  { settings }: Pick<CallsContext, 'settings'>,
  { baseUrl, token }: PluginServer,
  path: 'manifest' | 'call',
  budgetMs: number,
): Omit<EgressRequest, 'method' | 'maxResponseBytes'> | null {
  if (!baseUrl.startsWith('https://') && !settings.ALLOW_PRIVATE_TARGETS) return null
  const endMs = performance.now() + budgetMs
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/${path}`,
    headers: {
      accept: 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token.reveal()}` }),
    },
    connectTimeoutMs: Math.max(1, budgetMs),
    totalTimeoutMs: Math.max(1, budgetMs),
    redirects: 0,
    mayLeave: () => performance.now() < endMs,
  }
}
