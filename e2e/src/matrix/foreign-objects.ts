import type { KnownCaller } from './callers.ts'
import { allowedCallers, outgoingOf, partsFor } from './cells.ts'
import type { Parts } from './example.ts'
import { EXAMPLES } from './examples.ts'
import type { MatrixRoute } from './routes.ts'
import { type Answer, send } from './send.ts'
import type { Row } from './who.ts'
import type { World, WorldOwner } from './world.ts'

/** The same in both requests, so that only the time may differ in the answers. */
const REQUEST_ID = 'foreign-or-missing'
/** Headers that depend on the time and the number of calls, not on the object. */
const IGNORED = new Set(['date', 'ratelimit'])

/** For each id in the path: the id of a foreign object must give the same bytes as an id that does not exist. */
export async function findLeaks(world: World, route: MatrixRoute, row: Row): Promise<readonly string[]> {
  const { notObjects = [], ofAccount = false } = EXAMPLES[route.id] ?? {}
  const ids = route.params.filter((name) => !notObjects.includes(name))
  const findings: string[] = []
  // A refused request changes nothing: an object is used until another is made for the same account, which may replace it.
  const made = new Map<string, { readonly owner: WorldOwner; readonly parts: Parts }>()
  for (const caller of allowedCallers(world, route, row)) {
    const foreigners = world.foreignOwnersOf(caller)
    const others = foreigners.filter(({ userId }) => !ofAccount || userId !== caller.owner.userId)
    if (others.length === 0 || ids.length === 0) continue
    const own = await partsFor(world, route, caller.owner, caller)
    made.delete(caller.owner.userId)
    for (const foreign of others) {
      const last = made.get(foreign.userId)
      const theirs = last?.owner === foreign ? last.parts : await partsFor(world, route, foreign, null)
      made.set(foreign.userId, { owner: foreign, parts: theirs })
      for (const name of ids) findings.push(...(await compare(world, route, caller, { own, foreign, theirs, name })))
    }
  }
  return findings
}

interface Comparison {
  readonly own: Parts
  readonly foreign: WorldOwner
  readonly theirs: Parts
  /** Of the parameter whose id is replaced. */
  readonly name: string
}

async function compare(
  world: World,
  route: MatrixRoute,
  caller: KnownCaller<WorldOwner>,
  { own, foreign, theirs: { params = {} }, name }: Comparison,
): Promise<readonly string[]> {
  const theirs = params[name] ?? ''
  const missing = missingLike(theirs)
  const ask = (id: string): Promise<Answer> => send(outgoingOf(world, route, caller, 'home', withId(own, name, id)))
  const [found, absent] = [await ask(theirs), await ask(missing)]
  const [foundText, absentText] = [comparable(found, theirs), comparable(absent, missing)]
  // 403 for every id reveals nothing either.
  if (foundText === absentText && (absent.status === 404 || absent.status === 403)) return []
  const what = `${caller.name}: ${route.method} ${route.path} with the ${name} of ${foreign.name}`
  return [`${what} answers\n${foundText}\nwhere a missing one answers\n${absentText}`]
}

function withId(parts: Parts, name: string, id: string): Parts {
  return {
    ...parts,
    params: { ...parts.params, [name]: id },
    headers: { ...parts.headers, 'x-request-id': REQUEST_ID },
  }
}

/** Without the id, which the answer may repeat. */
function comparable({ status, headers, text }: Answer, id: string): string {
  const compared = headers.filter(([name]) => !IGNORED.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [String(status), ...compared, text].join('\n').replaceAll(id, '{id}')
}

/** An id of the same form that does not exist. */
export function missingLike(id: string): string {
  const uuid = /^(\w+_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(id)
  if (uuid !== null) return `${uuid[1] ?? ''}019a0000-0000-7000-8000-00000000dead`
  const client = /^(svc|acct|idw)_/.exec(id)
  if (client !== null) return `${client[0]}MissingClientId000000000`
  if (/^[A-Z0-9]{6}$/.test(id)) return 'ZZZZZZ'
  throw new Error(`add the form of ${JSON.stringify(id)} to missingLike in e2e/src/matrix/foreign-objects.ts`)
}
