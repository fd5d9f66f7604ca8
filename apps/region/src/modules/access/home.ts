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

const REMEMBER_MS = 2000
const REMEMBERED = 10_000

/**
 * Answers where an account lives now. The directory decides; while it is away the token's own word must do, which was
 * true when the token was made. Remembered for a moment, so that a lost client cannot make us ask for every call; no
 * longer, because a client that follows the answer must not be sent back by it.
 */
export function createHomeFinder(needs: HomeNeeds): (claims: AccessClaims) => Promise<string> {
  const remembered = new Map<ClientId, { readonly url: string; readonly untilMs: number }>()
  return async (claims) => {
    const nowMs = needs.clock.now()
    const known = remembered.get(claims.clientId)
    if (known !== undefined && known.untilMs > nowMs) return known.url
    const region = await findRegion(needs, claims)
    if (region === null) return addressOf(needs, claims.region)
    const url = addressOf(needs, region)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(claims.clientId, { url, untilMs: nowMs + REMEMBER_MS })
    return url
  }
}

/** Null while the directory is away, or when it knows no such client. */
async function findRegion({ directory }: HomeNeeds, claims: AccessClaims): Promise<RegionCode | null> {
  try {
    return await directory.findHome(claims.clientId)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** A region that this process was not told of: the front door knows. */
function addressOf({ regions, frontDoorUrl }: HomeNeeds, region: RegionCode): string {
  return regions.find(({ code }) => code === region)?.apiUrl ?? frontDoorUrl
}
