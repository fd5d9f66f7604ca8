import { formatInstant, instant } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { atEnd } from '../at-end.ts'
import type { FixedClock } from '../fixed.ts'
import { bodyOf } from '../people/call.ts'
import { type Calls, callsWith } from '../people/client-calls.ts'
import { startTwoRegions, type TwoRegions } from '../two-regions.ts'
import { type AccountWish, type Company, makeCompany, makePerson, type Person } from './account.ts'
import type { Decision } from './customer.ts'
import { insideOf } from './inside.ts'
import { type OpenPersonas, personaOpener } from './personas.ts'
import type { Place, Site } from './place.ts'
import { makeService, type RequestField, type Service, type ServiceWish } from './service.ts'
import { borrowInstallation, returnInstallation, WORLD_SETTINGS } from './worker-installation.ts'

export interface WorldOptions {
  /** An installation that no other file uses, with the fixed personas in it. */
  readonly own?: boolean
  /** Implies `own`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether an own installation has the fixed personas; yes unless told. They take 2 s of CPU. */
  readonly withPersonas?: boolean
}

/** A front door and two regions, and what a test puts into them. */
export interface World extends Place {
  /** Fresh on each call: own id, e-mail address and share code. */
  company(wish?: AccountWish): Promise<Company>
  person(wish?: AccountWish): Promise<Person>
  /** northwind, harborline and mara, or those that are named; the same ones on each call. */
  readonly personas: OpenPersonas
  /** A service of `company`, or of a company of its own. */
  service(fields?: readonly RequestField[], wish?: ServiceWish & { readonly company?: Company }): Promise<Service>
  /** A fresh person who has connected; answers it with the id of the connection. */
  customer(service: Service, decisions?: readonly Decision[]): Promise<ConnectedCustomer>
  /** Calls without a login, to the region eu unless `url` says otherwise. */
  readonly anonymous: Calls
  /** The time of the clock as the wire writes it; `laterMs` later. */
  time(laterMs?: number): string
  /** Lets days pass: tables of days far ahead are made by a process that starts then. */
  passDays(ms: number): Promise<void>
  /** Reads rows past the routes: of the region eu unless told. */
  rows<Row extends object>(sql: string, values?: readonly unknown[], site?: Site | 'directory'): Promise<readonly Row[]>
}

export interface ConnectedCustomer {
  readonly person: Person
  readonly connectionId: string
}

/**
 * Opens a world: at the top of a test file, so that its tests have it as a constant, or in a test. It closes by itself
 * when that ends. Vitest gives hooks no such end, so `beforeAll` is no place for it.
 */
export async function openWorld({ own = false, settings, withPersonas = true }: WorldOptions = {}): Promise<World> {
  const isShared = !own && settings === undefined
  const opened = new AsyncDisposableStack()
  const close = (): Promise<void> => opened.disposeAsync()
  atEnd(close)
  const two = isShared
    ? await borrowInstallation()
    : opened.adopt(await startTwoRegions({ ...WORLD_SETTINGS, ...settings }, { withPersonas }), (started) =>
        started.close(),
      )
  if (isShared) {
    two.telemetry.clear()
    opened.defer(returnInstallation)
  }
  return worldIn(two, isShared, opened)
}

/** A world for a program outside of Vitest, which closes it. */
export async function startWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const opened = new AsyncDisposableStack()
  const two = await startTwoRegions({ ...WORLD_SETTINGS, ...settings }, { withPersonas: false })
  opened.adopt(two, (started) => started.close())
  return worldIn(two, false, opened)
}

function worldIn(two: TwoRegions, isShared: boolean, opened: AsyncDisposableStack): World {
  const place: Place = {
    ...two,
    clock: isShared ? forwardOnly(two.clock) : two.clock,
    isShared,
    onEnd: (free) => opened.defer(free),
    another: async (...wanted) => opened.adopt(await two.another(...wanted), (started) => started.close()),
    anotherFrontDoor: async (...wanted) =>
      opened.adopt(await two.anotherFrontDoor(...wanted), (started) => started.close()),
    close: () => opened.disposeAsync(),
  }
  const company = (wish?: AccountWish): Promise<Company> => makeCompany(place, wish)
  const person = (wish?: AccountWish): Promise<Person> => makePerson(place, wish)
  return {
    ...place,
    company,
    person,
    personas: personaOpener(place),
    service: async (fields = [], { company: owner, ...wish } = {}) =>
      makeService(place, owner ?? (await company()), fields, wish),
    async customer(service, decisions) {
      const customer = await person()
      return { person: customer, connectionId: await customer.connected(service, decisions) }
    },
    anonymous: callsWith(two.eu.url ?? '', null),
    time: (laterMs = 0) => formatInstant(instant(two.clock.now() + laterMs)),
    async passDays(ms) {
      place.clock.advance(ms)
      for (const site of ['eu', 'us'] as const) await (await two.another(site)).close()
    },
    rows: <Row extends object>(sql: string, values: readonly unknown[] = [], site: Site | 'directory' = 'eu') => {
      const { database } = site === 'directory' ? two.frontDoor.platform : insideOf(two[site])
      return database.read((read) => runStatement<Row>(read, sql, [...values]))
    },
  }
}

/** Rows of later files would be older than rows of earlier ones, and tokens would come from the future. */
function forwardOnly(clock: FixedClock): FixedClock {
  const set: FixedClock['set'] = (at) => {
    if (at < clock.now()) throw new Error('the clock of a shared installation never goes back: open a world of its own')
    clock.set(at)
  }
  return { now: () => clock.now(), set, advance: (ms) => set(instant(clock.now() + ms)) }
}

/** Calls of a data client with a pattern that matches every path, at a process of eu that has just read it. */
export async function unrestrictedClient(world: World): Promise<Calls> {
  const service = await world.service()
  const sql = `update access.client set patterns = '{*}' where company_id = $1`
  await insideOf(world.eu).database.transaction((tx) => runStatement(tx, sql, [service.company.companyId]))
  service.moveTo((await world.another('eu')).url ?? '')
  // A path without a route answers 404 only if a pattern matches it.
  await bodyOf(service.data('GET', '/api/no-such-thing'), 404)
  return service.data
}
