import { randomUUID } from 'node:crypto'
import { hundredths, median, medianRatio, type Scenario, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import { copyAside, seedConnections, vacuumConnections } from './seed.ts'
import { type Site, startSite } from './site.ts'
import { COPIED, FAMILY, openTargets, type Targets } from './targets.ts'

interface Size {
  readonly connections: number
  readonly others: number
  readonly otherServices: number
  readonly samples: number
  readonly pages: number
  readonly reads: number
}

/**
 * The cost of reading connections when there are many: the last pages against the first, one connection against the bare
 * statement, and both again after as many connections of other services. The bars are ratios, because the machine is shared.
 */
export const connectionsScenario: Scenario<Size> = {
  name: 'connections',
  about: 'CPU of pages and single reads of a service with a million connections, and beside a million of others',
  sizes: {
    small: { connections: 20_000, others: 20_000, otherServices: 20, samples: 3, pages: 2, reads: 200 },
    full: { connections: 1_000_000, others: 1_000_000, otherServices: 100, samples: 25, pages: 8, reads: 1500 },
  },
  bars: [
    { figure: 'last_to_first_pages', atMost: 1.3, small: 2 },
    { figure: 'read_to_bare_sql', atMost: 2.5, small: 3.5 },
    { figure: 'read_beside_others', atMost: 1.15, small: 2 },
    { figure: 'page_beside_others', atMost: 1.15, small: 2 },
  ],
  async run(context, size) {
    const site = await startSite(context)
    await seedOwn(context, site, size.connections)
    const targets = await openTargets(context, site, size.connections)
    await warmUp(context, targets, size, 4)
    const alone = await measureAll(context, targets, size, 'alone')
    await seedOthers(context, site, size)
    // Code is compiled by now; only the database caches must be warmed again.
    await warmUp(context, targets, size, 2)
    const beside = await measureAll(context, targets, size, 'beside others')
    return figures(alone, beside, size)
  },
}

type Costs = { readonly [Name in keyof Targets]: readonly number[] }

async function warmUp(context: ScenarioContext, targets: Targets, size: Size, samples: number): Promise<void> {
  context.progress('warming up')
  for (const one of [targets.firstPages, targets.lastPages]) await one.measure(4 * size.pages)
  // `loneCaller` runs the code of `oneConnection`, one call at a time.
  for (const one of [targets.oneConnection, targets.bare, targets.reference]) await one.measure(samples * size.reads)
}

function measureAll(context: ScenarioContext, targets: Targets, size: Size, title: string): Promise<Costs> {
  const { firstPages, lastPages, oneConnection, loneCaller, bare, reference } = targets
  const measures = {
    firstPages: () => firstPages.measure(size.pages),
    lastPages: () => lastPages.measure(size.pages),
    oneConnection: () => oneConnection.measure(size.reads),
    loneCaller: () => loneCaller.measure(size.reads),
    bare: () => bare.measure(size.reads),
    reference: () => reference.measure(size.reads),
  }
  return alternate(measures, {
    samples: size.samples,
    onSample(number, costs) {
      const printed = Object.entries(costs).map(([name, cost]) => `${name} ${cost.toFixed(0)}`)
      context.progress(`${title}, sample ${number} of ${size.samples}: ${printed.join(', ')} µs`)
    },
  })
}

function figures(alone: Costs, beside: Costs, size: Size): Record<string, number> {
  const pages = (costs: Costs) => costs.firstPages.map((cost, sample) => (cost + (costs.lastPages[sample] ?? 0)) / 2)
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
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, hundredths(value)]))
}

async function seedOwn(context: ScenarioContext, site: Site, count: number): Promise<void> {
  const { companyId, serviceId, fields, databaseUrl } = site
  let printed = 0
  const seeding = { companyId, serviceId, fields, count, family: FAMILY }
  await seedConnections(databaseUrl, seeding, (done) => {
    if (done < printed + count / 10) return
    printed = done
    context.progress(`${done} of ${count} connections with ${fields.length} values each`)
  })
  await vacuumConnections(databaseUrl)
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
  await vacuumConnections(databaseUrl)
}
