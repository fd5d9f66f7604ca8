import { type AccessClaims, accountOfToken } from '@sealpost/access-token'
import type { Clock, RegionCode } from '@sealpost/kernel'
import { ApiError, type RegionAddress } from '@sealpost/protocol'
import type { ClientDirectory, HomeQuestion } from './directory.ts'

export interface HomeNeeds {
  readonly directory: ClientDirectory
  readonly regions: readonly RegionAddress[]
  readonly frontDoorUrl: string
  readonly clock: Clock
}

export interface Home {
  readonly region: RegionCode
  readonly apiUrl: string
}

const REMEMBER_MS = 2000
const REMEMBERED = 10_000

/**
 * Answers where an account lives now. The directory decides; while it is away the token's own word must do, which was
 * true when the token was made. Remembered for a moment, so that a lost caller cannot make us ask for every call; no
 * longer, because a caller that follows the answer must not be sent back by it.
 */
export function createHomeFinder(needs: HomeNeeds): (claims: AccessClaims) => Promise<Home> {
  const remembered = new Map<string, { readonly region: RegionCode | null; readonly untilMs: number }>()
  return async (claims) => {
    const nowMs = needs.clock.now()
    const question = questionOf(claims)
    // By whom the question is about: the first-party apps are everybody's.
    const key = question.userId ?? question.clientId
    const known = remembered.get(key)
    if (known !== undefined && known.untilMs > nowMs) return homeAt(needs, known.region ?? claims.region)
    const region = await findRegion(needs, question)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(key, { region, untilMs: nowMs + REMEMBER_MS })
    return homeAt(needs, region ?? claims.region)
  }
}

function questionOf(claims: AccessClaims): HomeQuestion {
  const userId = accountOfToken(claims)
  return userId === null ? { userId, clientId: claims.clientId } : { userId, clientId: null }
}

/** Null while the directory is away, or when it knows nobody of that id. */
async function findRegion({ directory }: HomeNeeds, question: HomeQuestion): Promise<RegionCode | null> {
  try {
    return await directory.findHome(question)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** A region that this process was not told of: the front door knows. */
function homeAt({ regions, frontDoorUrl }: HomeNeeds, region: RegionCode): Home {
  return { region, apiUrl: regions.find(({ code }) => code === region)?.apiUrl ?? frontDoorUrl }
}
