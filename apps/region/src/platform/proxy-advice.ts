import { proxyAdvice } from '@sealpost/http'
import type { Platform } from './module.ts'

/** What to tell the operator about a proxy in front of this region; null when the settings show no fault. */
export function regionProxyAdvice({ settings, region }: Pick<Platform, 'settings' | 'region'>): string | null {
  const own = settings.REGIONS.find(({ code }) => code === region)
  return own === undefined ? null : proxyAdvice(own.apiUrl, settings.TRUSTED_PROXIES)
}
