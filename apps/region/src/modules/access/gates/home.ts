import { type AccessClaims, accountOfToken } from '@sealpost/access-token'
import { type Clock, createBoundedCache, type RegionCode } from '@sealpost/kernel'
import { ApiError, refuse, type RegionAddress } from '@sealpost/protocol'
import type { ClientDirectory, HomeQuestion } from '../model.ts'

export interface HomeOptions {
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
 * Answers the present home of an account. The directory decides; while it cannot be reached, the region of the token is
 * used, which was right when the token was issued. Cached for 2 seconds, so that a misdirected caller does not cause an
 * ask per call; no longer, because a caller that follows the answer must not be sent back.
 */
export function createHomeFinder(options: HomeOptions): (claims: AccessClaims) => Promise<Home> {
  const { clock } = options
  const remembered = createBoundedCache<string, RegionCode | null>({
    most: REMEMBERED,
    expiry: { keepMs: REMEMBER_MS, now: () => clock.now() },
  })
  return async (claims) => {
    const question = questionOf(claims)
    // By account, not by client: all users of a first-party app share its client id.
    const key = question.userId ?? question.clientId
    const known = remembered.get(key)
    if (known !== undefined) return homeAt(options, known ?? claims.region)
    const askedAt = clock.now()
    const region = await findRegion(options, question)
    // Counted from the ask: the answer may be as old as that.
    remembered.set(key, region, askedAt + REMEMBER_MS - clock.now())
    return homeAt(options, region ?? claims.region)
  }
}

/** The 421: refers a caller that is unknown here to its home region; without another home the token has ended. */
export async function checkHome(
  { region, homeOf }: { readonly region: RegionCode; readonly homeOf: (claims: AccessClaims) => Promise<Home> },
  claims: AccessClaims,
): Promise<never> {
  const home = await homeOf(claims)
  if (home.region === region) throw refuse('auth.token_invalid')
  throw refuse('region.rebase_required', { api_url: home.apiUrl })
}

function questionOf(claims: AccessClaims): HomeQuestion {
  const userId = accountOfToken(claims)
  return userId === null ? { userId, clientId: claims.clientId } : { userId, clientId: null }
}

/** Null while the directory cannot be reached, or for an unknown id. */
async function findRegion({ directory }: HomeOptions, question: HomeQuestion): Promise<RegionCode | null> {
  try {
    return await directory.findHome(question)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** The front door's address for a region that is not in `REGIONS`. */
function homeAt({ regions, frontDoorUrl }: HomeOptions, region: RegionCode): Home {
  return { region, apiUrl: regions.find(({ code }) => code === region)?.apiUrl ?? frontDoorUrl }
}
