import type { AccessClaims } from '@sealpost/access-token'
import type { ClientId, Clock, RegionCode } from '@sealpost/kernel'
import { ApiError, type RegionAddress } from '@sealpost/protocol'
import type { ClientDirectory } from './directory.ts'

export interface HomeNeeds {
  readonly directory: ClientDirectory
  readonly regions: readonly RegionAddress[]
  readonly frontDoorUrl: string
  readonly clock: Clock
}

const REMEMBER_MS = 30_000
const REMEMBERED = 10_000

/**
 * Answers where an account lives now. The directory decides; while it is away the token's own word must do, which was
 * true when the token was made. Remembered for a while, so that a lost client cannot make us ask for every call.
 */
export function createHomeFinder(needs: HomeNeeds): (claims: AccessClaims) => Promise<string> {
  const remembered = new Map<ClientId, { readonly url: string; readonly untilMs: number }>()
  return async (claims) => {
    const nowMs = needs.clock.now()
    const known = remembered.get(claims.clientId)
    if (known !== undefined && known.untilMs > nowMs) return known.url
    const url = addressOf(needs, await findRegion(needs, claims))
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(claims.clientId, { url, untilMs: nowMs + REMEMBER_MS })
    return url
  }
}

async function findRegion({ directory }: HomeNeeds, claims: AccessClaims): Promise<RegionCode> {
  try {
    return (await directory.findHome(claims.clientId)) ?? claims.region
  } catch (error) {
    if (error instanceof ApiError) return claims.region
    throw error
  }
}

/** A region that this process was not told of: the front door knows. */
function addressOf({ regions, frontDoorUrl }: HomeNeeds, region: RegionCode): string {
  return regions.find(({ code }) => code === region)?.apiUrl ?? frontDoorUrl
}
