import { listOf, waitUntil } from '@sealpost/testkit'
import { expect } from 'vitest'
import { listModules } from '../../compose.ts'
import type { EndingName } from '../endings.ts'
import { cellOf, type Fate } from '../table.ts'
import { carryOut } from './endings.ts'
import { compare, kindsOf, lookAt, type Looks, sidesOf } from './observe.ts'
import type { World } from './shop.ts'
import type { Stage } from './stage.ts'

const SETTLED_MS = 20_000
const DAY_MS = 86_400_000
/** Days after which workers run again: a partition of a day is emptied on one day of ten. */
const FURTHER_DAYS: Readonly<Partial<Record<EndingName, readonly number[]>>> = { aged: [83], long_closed: [723] }
/** No row before: an ending writes the first one. */
const MADE_BY_ENDINGS: readonly string[] = ['deleted_services company', 'erasures platform']

/** What an ending has made of a stage: by kind and side, the events of the feed, and what the customer heard. */
export interface Outcome {
  readonly cells: Readonly<Record<string, Fate>>
  readonly events: readonly string[]
  readonly hints: readonly string[]
}

/** Carries the ending out, and looks at what both sides read, the rows, the events and the hints before and after. */
export async function observe(stage: Stage, ending: EndingName): Promise<Outcome> {
  await upkeep(stage.world)
  await stage.service.drain()
  const [before, heard] = [await lookAt(stage), await listen(stage)]
  if (ending !== 'long_closed') expectRows(before)
  await carryOut[ending](stage)
  for (const days of FURTHER_DAYS[ending] ?? []) {
    await upkeep(stage.world)
    await stage.world.passDays(days * DAY_MS)
  }
  await upkeep(stage.world)
  // Back on a level with a data client: what the company reads then.
  if (ending === 'level_lowered') await stage.company.setLevel('pro')
  const cells = Object.fromEntries(compare(before, await lookAt(stage)))
  return { cells, events: await eventsOf(stage), hints: await heard() }
}

/** The fixture has a row in every table, so that "kept" says something. */
function expectRows(looks: Looks): void {
  const empty = [...looks].filter(([, { rows }]) => [...rows.values()].includes(0)).map(([key]) => key)
  expect(empty.filter((key) => !MADE_BY_ENDINGS.includes(key))).toEqual([])
}

/** The same, as the table has it. */
export function tableFor(stage: Stage, ending: EndingName): Outcome {
  const cells: Record<string, Fate> = {}
  for (const kind of kindsOf(stage))
    for (const side of sidesOf(kind)) cells[`${kind} ${side}`] = cellOf(kind, ending)[side] ?? 'kept'
  return { cells, events: listOfCells(stage, ending, 'event'), hints: listOfCells(stage, ending, 'hint') }
}

function listOfCells(stage: Stage, ending: EndingName, member: 'event' | 'hint'): readonly string[] {
  return kindsOf(stage)
    .flatMap((kind) => cellOf(kind, ending)[member] ?? [])
    .toSorted()
}

/** Of the connection, by its service; none when the service has no client any more. */
async function eventsOf({ service, connectionId }: Stage): Promise<readonly string[]> {
  const events = await service.drain().catch(() => [])
  return events
    .filter((one) => one['connection_id'] === connectionId)
    .map(({ event }) => event)
    .toSorted()
}

/** What the customer hears from now on: the hints to its devices, or the events of its feed. */
async function listen({ world, setting, customer }: Stage): Promise<() => Promise<readonly string[]>> {
  if (setting.customerType === 'company') {
    const drain = async () => listOf((await customer.calls('GET', '/api/customer/changes?limit=500')).body['changes'])
    await drain()
    return async () => (await drain()).map((one) => String(one['event'])).toSorted()
  }
  const sql = 'select seq, kind from devices.hint where account_id = $1 and seq > $2 order by kind'
  const read = (after: number) =>
    world.rows<{ seq: string; kind: string }>(sql, [customer.userId, after], setting.customer)
  const last = Math.max(0, ...(await read(0)).map(({ seq }) => Number(seq)))
  return async () => (await read(last)).map(({ kind }) => kind)
}

/** What workers do once a minute, after everything has arrived that was sent to other regions and into jobs. */
async function upkeep(world: World): Promise<void> {
  await settled(world)
  for (const site of ['eu', 'us'] as const)
    for (const { chores } of listModules(world[site].modules)) for (const { run } of chores ?? []) await run()
  await settled(world)
}

async function settled(world: World): Promise<void> {
  const sql = `select (select count(*) from bus.lane where pending)::int
    + (select count(*) from jobs.job where state in ('waiting', 'running', 'blocked'))::int as open`
  await waitUntil('messages and jobs are done', SETTLED_MS, async () => {
    for (const site of ['eu', 'us', 'eu'] as const) {
      const [row] = await world.rows<{ open: number }>(sql, [], site)
      if (row?.open !== 0) return false
    }
    return true
  })
}
