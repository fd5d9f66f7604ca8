import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { callCells, type Outcome } from './cells.ts'
import { CLAIMS, isServed, MANAGED_ROUTES } from './claims.ts'
import { findLeaks } from './foreign-objects.ts'
import { documentedRoutes, type MatrixRoute } from './routes.ts'
import { closeConnections } from './send.ts'
import { WHO_MAY_WHAT } from './who-may-what.ts'
import type { Row } from './who.ts'
import { buildWorld, type World } from './world.ts'

const routes = documentedRoutes()
const TABLE = 'e2e/src/matrix/who-may-what.ts'
const outcomes: Outcome[] = []

let world: World

beforeAll(async () => {
  world = await buildWorld()
})
// The spans of all calls would fill the memory.
afterEach(() => world.sites.telemetry.clear())
afterAll(async () => {
  closeConnections()
  await world.close()
})

test('every documented route has a line in the table, and every line a route', () => {
  const lost = Object.keys(WHO_MAY_WHAT).filter((id) => !routes.some((route) => route.id === id))
  const missing = routes.filter(({ id }) => WHO_MAY_WHAT[id] === undefined)
  expect([
    ...missing.map(({ id, method, path }) => `add a line for ${id} (${method} ${path}) to ${TABLE}: who may call it?`),
    ...lost.map((id) => `${TABLE} has a line for ${id}, which is not documented: remove or rename it`),
  ]).toEqual([])
})

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  test('serves the callers that the table names, at home, and refuses all others at the right gate', async () => {
    const called = await callCells(world, route, rowOf(route))
    outcomes.push(...called)
    expect(called.flatMap(({ finding }) => finding ?? [])).toEqual([])
  })
})

const routesToObjects = routes.filter(({ params }) => params.length > 0)

test.each(routesToObjects.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s: a foreign object answers like a missing one',
  async (_, route) => {
    expect(await findLeaks(world, route, rowOf(route))).toEqual([])
  },
)

describe('the matrix as a whole', () => {
  test('has routes times callers times places cells', () => {
    process.stdout.write(`${routes.length} routes, ${world.callers.length} callers, ${outcomes.length} cells\n`)
    expect(outcomes).toHaveLength(routes.length * world.callers.length * 3)
  })

  test('service_management serves all routes of own services, from their creation to their runs', () => {
    const served = outcomes.filter((outcome) => isServed(outcome, 'service_management')).map(({ route }) => route.id)
    expect(MANAGED_ROUTES.filter((id) => !served.includes(id))).toEqual([])
  })

  test.each(CLAIMS)('%s', (_, isProof) => {
    const proofs = outcomes.filter(isProof)
    expect(proofs.length).toBeGreaterThan(0)
    expect(proofs.flatMap(({ finding }) => finding ?? [])).toEqual([])
  })
})

function rowOf(route: MatrixRoute): Row {
  const row = WHO_MAY_WHAT[route.id]
  if (row === undefined) throw new Error(`add a line for ${route.id} to ${TABLE}: who may call it?`)
  return row
}
