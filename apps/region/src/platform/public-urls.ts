import type { RegionSettings } from '../settings.ts'

/** The addresses of this installation, which no webhook and no plugin may have. */
export function publicUrls({
  FRONT_DOOR_URL,
  REGIONS,
}: Pick<RegionSettings, 'FRONT_DOOR_URL' | 'REGIONS'>): readonly string[] {
  return [FRONT_DOOR_URL, ...REGIONS.map(({ apiUrl }) => apiUrl)]
}
