import { isKnown, type KnownCaller, type MatrixCaller } from './callers.ts'
import type { Parts } from './example.ts'
import { EXAMPLES } from './examples.ts'
import { expectCell, type Expectation, type Place, PLACES } from './expectation.ts'
import type { MatrixRoute } from './routes.ts'
import { type Answer, membersOf, type Outgoing, send } from './send.ts'
import type { Row } from './who.ts'
import type { World, WorldOwner } from './world.ts'

type Caller = MatrixCaller<WorldOwner>

export interface Cell {
  readonly route: MatrixRoute
  readonly caller: Caller
  readonly place: Place
  readonly expected: Expectation
}

/** A cell after its call; `finding` is null when the answer is as the table says. */
export interface Outcome extends Cell {
  readonly finding: string | null
}

const BATCH = 12

/** Makes the calls of all cells of a route. */
export async function callCells(world: World, route: MatrixRoute, row: Row): Promise<readonly Outcome[]> {
  const cells = cellsOf(world, route, row)
  const parts = await partsFor(world, route, world.owner, null)
  const refused = cells.filter(({ expected }) => expected !== 'passes')
  const outcomes = await inBatches(refused, async (cell) => ({
    ...cell,
    finding: await callRefused(world, cell, parts),
  }))
  // One at a time: callers must not change each other's objects.
  for (const cell of cells.filter(({ expected }) => expected === 'passes')) {
    outcomes.push({ ...cell, finding: await callPassing(world, cell) })
  }
  return outcomes
}

export function cellsOf(world: World, route: MatrixRoute, row: Row): readonly Cell[] {
  return world.callers.flatMap((caller) =>
    PLACES.map((place) => ({ route, caller, place, expected: expectCell(route, row, caller, place) })),
  )
}

async function callRefused(world: World, cell: Cell, parts: Parts): Promise<string | null> {
  const { route, caller, place, expected } = cell
  if (expected === 'passes') return null
  const outgoing = outgoingOf(world, route, caller, place, parts)
  const answer = await send(outgoing)
  const { error_key: key, api_url: apiUrl } = membersOf(answer)
  const isRebase = expected.key === 'region.rebase_required'
  const isChallenged = expected.status !== 401 || answer.headers.some(([name]) => name === 'www-authenticate')
  const isRight = answer.status === expected.status && key === expected.key && isChallenged
  if (isRight && (!isRebase || apiUrl === homeOf(world, caller))) return null
  return describe(cell, outgoing, `${expected.status} ${expected.key}`, answer)
}

async function callPassing(world: World, cell: Cell): Promise<string | null> {
  const { route, caller, place } = cell
  const owner = isKnown(caller) ? caller.owner : world.owner
  const outgoing = outgoingOf(world, route, caller, place, await partsFor(world, route, owner, caller))
  const answer = await send(outgoing)
  const known = EXAMPLES[route.id]?.answers?.({ caller, place })
  const wanted = known ?? { status: route.status, key: undefined }
  if (answer.status === wanted.status && membersOf(answer)['error_key'] === wanted.key) return null
  return describe(cell, outgoing, `${wanted.status} ${wanted.key ?? ''}`.trim(), answer)
}

/** A route without parameters and body needs no example. */
export async function partsFor(
  world: World,
  route: MatrixRoute,
  owner: WorldOwner,
  caller: Caller | null,
): Promise<Parts> {
  const make = EXAMPLES[route.id]?.make
  if (make !== undefined) return make({ world, owner, caller })
  if (route.params.length === 0 && !route.hasBody) return {}
  throw new Error(`add an example for ${route.id} (${route.method} ${route.path}) to e2e/src/matrix/examples.ts`)
}

export function outgoingOf(
  world: World,
  route: MatrixRoute,
  caller: Caller,
  place: Place,
  { params = {}, query, body, headers = {} }: Parts,
): Outgoing {
  const path = route.path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`
  const type = route.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    method: route.method,
    url: `${baseOf(world, caller, place)}${path}${search}`,
    headers: {
      ...(caller.token === null ? {} : { authorization: `Bearer ${caller.token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    body: body === undefined ? null : encoded(route, body),
  }
}

function encoded(route: MatrixRoute, body: NonNullable<Parts['body']>): string {
  if (!route.isForm) return JSON.stringify(body)
  const form = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  return new URLSearchParams(form).toString()
}

function baseOf(world: World, caller: Caller, place: Place): string {
  if (place === 'front door') return world.urls.frontDoor
  const home = isKnown(caller) ? caller.owner.home : world.owner.home
  if (place === 'home') return world.urls[home]
  return world.urls[home === 'eu' ? 'us' : 'eu']
}

function homeOf(world: World, caller: Caller): string | null {
  const owner = isKnown(caller) ? caller.owner : caller.was?.owner
  return owner === undefined ? null : world.urls[owner.home]
}

function describe(
  { caller, place }: Cell,
  { method, url }: Outgoing,
  wanted: string,
  { status, text }: Answer,
): string {
  return `${caller.name} at ${place}: ${method} ${url} should answer ${wanted}, answered ${status} ${text.slice(0, 300)}`
}

async function inBatches<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = [...items]
  const answers: R[] = []
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) answers.push(await ask(item))
  }
  await Promise.all(Array.from({ length: BATCH }, work))
  return answers
}

/** The callers that the row allows at their home region. */
export function allowedCallers(world: World, route: MatrixRoute, row: Row): readonly KnownCaller<WorldOwner>[] {
  return world.callers.filter(isKnown).filter((caller) => expectCell(route, row, caller, 'home') === 'passes')
}
