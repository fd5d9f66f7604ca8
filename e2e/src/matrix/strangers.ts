import type { KnownCaller } from './callers.ts'
import { allowedCallers, outgoingOf, partsFor } from './cells.ts'
import type { Parts } from './example.ts'
import { EXAMPLES } from './examples.ts'
import type { MatrixRoute } from './routes.ts'
import { type Answer, send } from './send.ts'
import type { Row } from './who.ts'
import type { World, WorldOwner } from './world.ts'

/** The same in both requests, so that nothing but the clock may differ in the answers. */
const REQUEST_ID = 'stranger-or-missing'
/** What tells nothing about an object: when it was asked for, and how often. */
const ASIDE = new Set(['date', 'ratelimit'])

/** For each id in the path: somebody else's object must answer byte for byte what one answers that never was. */
export async function askForStrangers(world: World, route: MatrixRoute, row: Row): Promise<readonly string[]> {
  const { notObjects = [], ofAccount = false } = EXAMPLES[route.id] ?? {}
  const ids = route.params.filter((name) => !notObjects.includes(name))
  const findings: string[] = []
  for (const caller of allowedCallers(world, route, row)) {
    for (const stranger of world.strangersOf(caller)) {
      if (ofAccount && stranger.userId === caller.owner.userId) continue
      for (const name of ids) findings.push(...(await compare(world, route, caller, stranger, name)))
    }
  }
  return findings
}

async function compare(
  world: World,
  route: MatrixRoute,
  caller: KnownCaller<WorldOwner>,
  stranger: WorldOwner,
  name: string,
): Promise<readonly string[]> {
  const own = await partsFor(world, route, caller.owner, caller)
  const theirs = (await partsFor(world, route, stranger, null)).params?.[name] ?? ''
  const missing = missingLike(theirs)
  const ask = (id: string): Promise<Answer> => send(outgoingOf(world, route, caller, 'home', withId(own, name, id)))
  const [seen, absent] = [await ask(theirs), await ask(missing)]
  const [shownSeen, shownAbsent] = [comparable(seen, theirs), comparable(absent, missing)]
  // Whoever is refused whatever the id learns nothing either.
  if (shownSeen === shownAbsent && (absent.status === 404 || absent.status === 403)) return []
  const what = `${caller.name}: ${route.method} ${route.path} with the ${name} of ${stranger.name}`
  return [`${what} answers\n${shownSeen}\nwhere a missing one answers\n${shownAbsent}`]
}

function withId(parts: Parts, name: string, id: string): Parts {
  return {
    ...parts,
    params: { ...parts.params, [name]: id },
    headers: { ...parts.headers, 'x-request-id': REQUEST_ID },
  }
}

/** Whoever repeats the id that was sent tells nothing new. */
function comparable({ status, headers, text }: Answer, id: string): string {
  const shown = headers.filter(([name]) => !ASIDE.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [String(status), ...shown, text].join('\n').replaceAll(id, '{id}')
}

/** An id of the same form that nobody has. */
export function missingLike(id: string): string {
  const uuid = /^(\w+_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(id)
  if (uuid !== null) return `${uuid[1] ?? ''}019a0000-0000-7000-8000-00000000dead`
  const client = /^(svc|acct|idw)_/.exec(id)
  if (client !== null) return `${client[0]}NobodyHasThisClientId000`
  if (/^[A-Z0-9]{6}$/.test(id)) return 'ZZZZZZ'
  throw new Error(`teach e2e/src/matrix/strangers.ts how an id like ${JSON.stringify(id)} looks when it is missing`)
}
