import type { RegionCode } from '@sealpost/kernel'
import type { RegionAddress } from '@sealpost/protocol'
import type { Platform } from './module.ts'

export function findRegion({ settings }: Pick<Platform, 'settings'>, code: string): RegionAddress | null {
  return settings.REGIONS.find((region) => region.code === code) ?? null
}

/** A region that our own records name; REGIONS must list it. */
export function requireRegion(platform: Pick<Platform, 'settings'>, code: string): RegionAddress {
  const region = findRegion(platform, code)
  if (region === null) throw new Error(`REGIONS does not name the region ${code}`)
  return region
}

/** The region that a refresh token, code or grant id begins with; null when REGIONS does not name it. */
export function regionOfId(platform: Pick<Platform, 'settings'>, id: string): RegionCode | null {
  return findRegion(platform, id.slice(0, Math.max(0, id.indexOf('.'))))?.code ?? null
}
