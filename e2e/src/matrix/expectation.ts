import { isKnown, type KnownCaller, type MatrixCaller } from './callers.ts'
import type { MatrixRoute } from './routes.ts'
import type { Row } from './who.ts'

/** Where a call is sent: to the caller's home region, the front door, or the other region. */
export const PLACES = ['home', 'front door', 'elsewhere'] as const

export type Place = (typeof PLACES)[number]

/** A refusal by a gate, or the route itself answers. */
export type Expectation = { readonly status: number; readonly key: string } | 'passes'

const REBASE = { status: 421, key: 'region.rebase_required' } as const
const NOT_THERE = { status: 404, key: 'request.not_found' } as const

/** The answer that the table requires for a cell. The order is that of the gates: token, home region, permission. */
export function expectCell(
  route: Pick<MatrixRoute, 'path'>,
  row: Row,
  caller: MatrixCaller,
  place: Place,
): Expectation {
  const isServedHere = row.at === 'both' || (row.at === 'front door') === (place === 'front door')
  if (row.at === 'front door' && !isServedHere) return expectNothing(route, caller, place)
  if (row.may === 'all') return 'passes'
  const claimed = isKnown(caller) ? caller : caller.was
  if (claimed === undefined) return refusalOf(caller)
  if (place === 'elsewhere' || (place === 'front door' && !isServedHere)) return REBASE
  const isMeant = row.may.some((who) => claimed.is.includes(who))
  if (isKnown(caller)) return isMeant ? 'passes' : forbidden(route, caller)
  // The front door checks the kind of a token itself and asks the home region whether it is valid.
  return place === 'front door' && !isMeant ? forbidden(route, claimed) : refusalOf(caller)
}

/**
 * A region serves no route of the front door. Under /api a token is checked all the same, and a client gets the same 403
 * for every path outside its patterns, whether the path exists or not.
 */
function expectNothing({ path }: Pick<MatrixRoute, 'path'>, caller: MatrixCaller, place: Place): Expectation {
  if (!path.startsWith('/api/') || (!isKnown(caller) && caller.refusal === 'auth.token_missing')) return NOT_THERE
  const claimed = isKnown(caller) ? caller : caller.was
  if (claimed === undefined) return refusalOf(caller)
  if (place === 'elsewhere') return REBASE
  if (!isKnown(caller)) return refusalOf(caller)
  return caller.by === 'session' ? NOT_THERE : forbidden({ path }, caller)
}

function refusalOf(caller: MatrixCaller): Expectation {
  if (isKnown(caller)) throw new Error(`${caller.name} has a valid token`)
  return { status: 401, key: caller.refusal }
}

/** The data API is for registered clients and refuses sessions with its own key. */
function forbidden({ path }: Pick<MatrixRoute, 'path'>, caller: Pick<KnownCaller, 'by'>): Expectation {
  const isNoClient = caller.by === 'session' && path.startsWith('/api/company-data/')
  return { status: 403, key: isNoClient ? 'company_data.no_client' : 'auth.client_endpoint_forbidden' }
}
