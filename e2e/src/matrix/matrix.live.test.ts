import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askCells, type Outcome } from './cells.ts'
import { CLAIMS } from './claims.ts'
import { documentedRoutes, type MatrixRoute } from './routes.ts'
import { closeConnections } from './send.ts'
import { askForStrangers } from './strangers.ts'
import { WHO_MAY_WHAT } from './who-may-what.ts'
import type { Row } from './who.ts'
import { buildWorld, type World } from './world.ts'

const routes = documentedRoutes()
const TABLE = 'e2e/src/matrix/who-may-what.ts'
const limits = { timeout: 120_000 }
const outcomes: Outcome[] = []

let world: World

beforeAll(async () => {
  world = await buildWorld()
}, 180_000)
afterAll(async () => {
  closeConnections()
  await world.close()
})

test('every documented route has its line in the table, and every line its route', () => {
  const lost = Object.keys(WHO_MAY_WHAT).filter((id) => !routes.some((route) => route.id === id))
  const missing = routes.filter(({ id }) => WHO_MAY_WHAT[id] === undefined)
  expect([
    ...missing.map(({ id, method, path }) => `add a line for ${id} (${method} ${path}) to ${TABLE}: who may call it?`),
    ...lost.map((id) => `${TABLE} has a line for ${id}, which is not documented: remove or rename it`),
  ]).toEqual([])
})

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  test('lets in whom the table names, at home, and refuses everybody else by the right gate', limits, async () => {
    const asked = await askCells(world, route, rowOf(route))
    outcomes.push(...asked)
    expect(asked.flatMap(({ finding }) => finding ?? [])).toEqual([])
  })
})

const routesToObjects = routes.filter(({ params }) => params.length > 0)

test.each(routesToObjects.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s: somebody else’s object answers like a missing one',
  limits,
  async (_, route) => {
    expect(await askForStrangers(world, route, rowOf(route))).toEqual([])
  },
)

describe('the matrix as a whole', () => {
  test('is routes times callers times places', () => {
    process.stdout.write(`${routes.length} routes, ${world.callers.length} callers, ${outcomes.length} cells\n`)
    expect(outcomes).toHaveLength(routes.length * world.callers.length * 3)
  })

  test.each(CLAIMS)('%s', (_, isShownBy) => {
    const shown = outcomes.filter(isShownBy)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.flatMap(({ finding }) => finding ?? [])).toEqual([])
  })
})

function rowOf(route: MatrixRoute): Row {
  const row = WHO_MAY_WHAT[route.id]
  if (row === undefined) throw new Error(`add a line for ${route.id} to ${TABLE}: who may call it?`)
  return row
}
