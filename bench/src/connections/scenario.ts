import { randomUUID } from 'node:crypto'
import type { Scenario, ScenarioContext } from '@sealpost/testkit'
import { median } from '../cpu.ts'
import { copyAside, seedConnections, settleTables } from './seed.ts'
import { type Site, startSite } from './site.ts'
import { COPIED, FAMILY, openTargets, type Targets } from './targets.ts'

interface Size {
  readonly connections: number
  readonly others: number
  readonly otherServices: number
  readonly rounds: number
  readonly pages: number
  readonly reads: number
}

const SMALL: Size = { connections: 20_000, others: 20_000, otherServices: 20, rounds: 7, pages: 4, reads: 300 }
const FULL: Size = {
  connections: 1_000_000,
  others: 1_000_000,
  otherServices: 100,
  rounds: 25,
  pages: 8,
  reads: 1500,
}

/**
 * What reading connections costs when there are many: the last pages against the first, one connection against the bare
 * statement, and both again beside as many connections of other services. Only ratios are judged: the machine is shared.
 */
export const connectionsScenario: Scenario = {
  name: 'connections',
  about: 'CPU of pages and single reads of a service with a million connections, and beside a million of others',
  bars: [
    { figure: 'last_to_first_pages', atMost: 1.3 },
    { figure: 'read_to_bare_sql', atMost: 2.5 },
    { figure: 'read_beside_others', atMost: 1.15 },
    { figure: 'page_beside_others', atMost: 1.15 },
  ],
  smallBars: [
    { figure: 'last_to_first_pages', atMost: 2 },
    { figure: 'read_to_bare_sql', atMost: 3.5 },
    { figure: 'read_beside_others', atMost: 2 },
    { figure: 'page_beside_others', atMost: 2 },
  ],
  async run(context) {
    const size = context.isSmall ? SMALL : FULL
    const site = await startSite(context)
    await seedOwn(context, site, size.connections)
    const targets = await openTargets(context, site, size.connections)
    await warmUp(context, targets, size, 10)
    const alone = await measureAll(context, targets, size, 'alone')
    await seedOthers(context, site, size)
    // The compiler has seen it all by now; only what the new rows pushed out of the caches comes back.
    await warmUp(context, targets, size, 2)
    const beside = await measureAll(context, targets, size, 'beside others')
    return figures(alone, beside, size)
  },
}

type Costs = { readonly [Name in keyof Targets]: readonly number[] }

/** So many rounds of reads, until the compiler has seen enough of them, and some pages. */
async function warmUp(context: ScenarioContext, targets: Targets, size: Size, rounds: number): Promise<void> {
  context.progress('warming up')
  for (const one of [targets.firstPages, targets.lastPages]) await one.measure(4 * size.pages)
  for (const one of [targets.oneConnection, targets.loneCaller, targets.bare, targets.reference])
    await one.measure(rounds * size.reads)
}

/** Short rounds, in turn the one or the other first: what else the machine does then falls on all. */
async function measureAll(context: ScenarioContext, targets: Targets, size: Size, what: string): Promise<Costs> {
  const costs: Record<keyof Targets, number[]> = {
    firstPages: [],
    lastPages: [],
    oneConnection: [],
    loneCaller: [],
    bare: [],
    reference: [],
  }
  const names = Object.keys(costs).filter((name): name is keyof Targets => name in targets)
  for (let round = 1; round <= size.rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const isPages = name === 'firstPages' || name === 'lastPages'
      costs[name].push(await targets[name].measure(isPages ? size.pages : size.reads))
    }
    const shown = names.map((name) => `${targets[name].name} ${(costs[name].at(-1) ?? 0).toFixed(0)}`)
    context.progress(`${what}, round ${round} of ${size.rounds}: ${shown.join(', ')} µs`)
  }
  return costs
}

function figures(alone: Costs, beside: Costs, size: Size): Record<string, number> {
  const pages = (costs: Costs) => costs.firstPages.map((cost, round) => (cost + (costs.lastPages[round] ?? 0)) / 2)
  const inReference = (costs: readonly number[], all: Costs) => medianRatio(costs, all.reference)
  const found = {
    connections: size.connections,
    first_page_us: median(alone.firstPages),
    last_page_us: median(alone.lastPages),
    read_us: median(alone.oneConnection),
    bare_us: median(alone.bare),
    last_to_first_pages: medianRatio(alone.lastPages, alone.firstPages),
    read_to_bare_sql: medianRatio(alone.oneConnection, alone.bare),
    lone_read_to_bare_sql: medianRatio(alone.loneCaller, alone.bare),
    read_beside_others: inReference(beside.oneConnection, beside) / inReference(alone.oneConnection, alone),
    page_beside_others: inReference(pages(beside), beside) / inReference(pages(alone), alone),
  }
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Math.round(value * 100) / 100]))
}

/** The median of the rounds' ratios, so that a slow moment of the machine counts once. */
function medianRatio(of: readonly number[], to: readonly number[]): number {
  return median(of.map((cost, round) => cost / (to[round] ?? Number.NaN)))
}

async function seedOwn(context: ScenarioContext, site: Site, count: number): Promise<void> {
  const { companyId, serviceId, fields, databaseUrl } = site
  let shown = 0
  const seeding = { companyId, serviceId, fields, count, family: FAMILY }
  await seedConnections(databaseUrl, seeding, (done) => {
    if (done < shown + count / 10) return
    shown = done
    context.progress(`${done} of ${count} connections with ${fields.length} values each`)
  })
  await settleTables(databaseUrl)
  await copyAside(databaseUrl, seeding, COPIED)
}

async function seedOthers(context: ScenarioContext, { databaseUrl }: Site, size: Size): Promise<void> {
  const count = size.others / size.otherServices
  for (let service = 1; service <= size.otherServices; service += 1) {
    const names = { companyId: randomUUID(), serviceId: randomUUID(), fields: [randomUUID()] }
    await seedConnections(databaseUrl, { ...names, count, family: FAMILY + service })
    if (service % Math.ceil(size.otherServices / 5) === 0)
      context.progress(`${service * count} connections of ${service} other services with one value each`)
  }
  await settleTables(databaseUrl)
}
