import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { listProcesses, NO_FAULT, readProcessStat, S3_ERROR, type ScenarioContext, waitUntil } from '@sealpost/testkit'
import { Client } from 'pg'
import { hasDone, type Tally, troubles } from './acts.ts'
import type { Region, Site } from './site.ts'

export interface FaultPlan {
  readonly acts: number
  /** How often each fault that kills nothing comes. */
  readonly each: number
  readonly childKills: number
  readonly commitKills: number
  readonly regionKills: number
}

/** Begins and answers how it ends. */
interface Fault {
  readonly name: string
  readonly kills: number
  begin(isFelt: () => boolean): Promise<() => Promise<void>>
}

const DEADLINE_MS = 180_000
const FELT_MS = 60_000
/** Longer than a seal waits for its time-stamp. */
const SLOW_MS = 20_000

/** Applies the faults one after the other, spread evenly over the acts, which continue meanwhile. Answers how many were not felt. */
export async function injectFaults(
  context: ScenarioContext,
  site: Site,
  tally: Tally,
  plan: FaultPlan,
): Promise<number> {
  const faults = orderFaults(site, plan)
  const share = plan.acts / (faults.length + 1)
  let unfelt = 0
  for (const [index, fault] of faults.entries()) {
    const wanted = Math.floor(share * (index + 1))
    tally.allowed = wanted
    await waitUntil(`${wanted} acts are done`, DEADLINE_MS, () => hasDone(tally, wanted))
    const isFelt = await applyFault(tally, fault)
    if (!isFelt) unfelt += 1
    const { done, broken, halfStates } = tally
    const seen = `${done} acts, ${troubles(tally) - broken} refused, ${broken} broken, ${halfStates} half states`
    context.progress(`${fault.name}${isFelt ? '' : ' (NOT FELT)'}; ${seen}`)
  }
  tally.allowed = plan.acts
  await waitUntil('all acts are done', DEADLINE_MS, () => hasDone(tally, plan.acts))
  return unfelt
}

async function applyFault(tally: Tally, fault: Fault): Promise<boolean> {
  const before = troubles(tally)
  // Until it is felt: acts that were in flight before may still succeed.
  tally.allowed = Number.POSITIVE_INFINITY
  const isFelt = (): boolean => troubles(tally) > before
  const end = await fault.begin(isFelt)
  await waitUntil('the fault is felt', FELT_MS, isFelt).catch(() => {})
  // Some are left for the last fault.
  tally.allowed = tally.done
  await end()
  return isFelt()
}

function orderFaults(site: Site, { each, childKills, commitKills, regionKills }: FaultPlan): readonly Fault[] {
  const repeated = (count: number, make: (index: number) => Fault): readonly Fault[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const others = Array.from({ length: each }).flatMap(() => [
    authorityFault(site, 'the authority was down', () => Promise.reject(new Error('down'))),
    authorityFault(site, 'the authority lied', flipLastBit),
    authorityFault(site, 'the authority was slow', async (reply) => {
      await pause(SLOW_MS)
      return reply
    }),
    keyFault(site),
    storeFault(site, 'eu'),
    storeFault(site, 'us'),
    cutFault(site),
  ])
  const kills = [
    ...repeated(childKills, () => childFault(site)),
    ...repeated(commitKills, () => commitFault(site)),
    ...repeated(regionKills, (index) => regionFault(site, index % 2 === 0 ? 'eu' : 'us')),
  ]
  return interleave(kills, others)
}

/** So that faults of both kinds come from the beginning to the end. */
function interleave(many: readonly Fault[], few: readonly Fault[]): readonly Fault[] {
  const step = Math.max(1, Math.floor(many.length / Math.max(1, few.length)))
  const mixed = many.flatMap((fault, index) => {
    const other = index % step === 0 ? few[index / step] : undefined
    return other === undefined ? [fault] : [fault, other]
  })
  return [...mixed, ...few.slice(Math.ceil(many.length / step))]
}

type Reply = Parameters<NonNullable<Parameters<Site['authority']['change']>[0]>>[0]

function authorityFault({ authority }: Site, name: string, change: (reply: Reply) => Reply | Promise<Reply>): Fault {
  return {
    name,
    kills: 0,
    async begin() {
      authority.change(change)
      return async () => authority.change(null)
    },
  }
}

function flipLastBit(reply: Reply): Reply {
  const changed = Buffer.from(reply)
  const last = changed.length - 1
  changed[last] = (changed[last] ?? 0) ^ 1
  return changed
}

function keyFault({ signer }: Site): Fault {
  return {
    name: 'the key was away',
    kills: 0,
    async begin() {
      await signer.stop()
      return () => signer.start()
    },
  }
}

function storeFault({ stores }: Site, region: Region): Fault {
  return {
    name: `the file store of ${region} failed`,
    kills: 0,
    async begin() {
      stores[region].turn({ kind: 'answering', bytes: S3_ERROR })
      return async () => stores[region].turn(NO_FAULT)
    },
  }
}

function cutFault({ links }: Site): Fault {
  return {
    name: 'the regions were cut from each other',
    kills: 0,
    async begin() {
      for (const link of links) link.cut()
      return async () => {
        for (const link of links) link.mend()
      }
    },
  }
}

function regionFault({ installation }: Site, region: Region): Fault {
  return {
    name: `${region} was killed`,
    kills: 1,
    async begin() {
      await installation[region].kill()
      return () => installation[region].start()
    },
  }
}

/** Holds the table of signatures, so that an act with its seal stands just before its end; then kills the region. */
function commitFault({ installation }: Site): Fault {
  return {
    name: 'eu was killed between a seal and its commit',
    kills: 1,
    async begin() {
      const database = new Client({ connectionString: installation.environment.eu['DATABASE_URL'] })
      await database.connect()
      await database.query('begin; lock table documents_service.signature in share row exclusive mode')
      await waitUntil('an act waits to be recorded', DEADLINE_MS, async () => {
        const { rowCount } = await database.query(
          `select 1 from pg_locks where relation = 'documents_service.signature'::regclass and not granted`,
        )
        return (rowCount ?? 0) > 0
      })
      await installation.eu.kill()
      await database.query('rollback')
      await database.end()
      return () => installation.eu.start()
    },
  }
}

const AGAIN_MS = 20

/** Kills the processes that read PDFs, also those that wait for one, until an act has met it. */
function childFault({ installation }: Site): Fault {
  return {
    name: 'the processes that read PDFs were killed',
    kills: 1,
    async begin(isFelt) {
      const deadline = Date.now() + FELT_MS
      while (!isFelt() && Date.now() < deadline) {
        for (const pid of pdfProcesses(installation.eu.pid())) kill(pid)
        await pause(AGAIN_MS)
      }
      return () => Promise.resolve()
    },
  }
}

/** Of the process group of a region. */
function pdfProcesses(group: number): readonly number[] {
  return listProcesses().filter((pid) => readProcessStat(pid)?.group === group && commandOf(pid).includes('pdf-main'))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
