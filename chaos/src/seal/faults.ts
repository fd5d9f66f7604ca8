import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { listProcesses, readProcessStat, S3_ERROR, waitUntil } from '@sealpost/testkit'
import { Client } from 'pg'
import { cutFault, type Fault, type Region, regionFault, wireFault } from '../inject-faults.ts'
import type { Site } from './site.ts'

export interface FaultPlan {
  readonly acts: number
  /** How often each fault that kills nothing comes. */
  readonly each: number
  readonly childKills: number
  readonly commitKills: number
  readonly regionKills: number
}

const DEADLINE_MS = 180_000
/** Within which an act must meet the kills. */
const KILLING_MS = 60_000
/** Longer than a seal waits for its time-stamp. */
const SLOW_MS = 20_000

export function orderFaults(site: Site, { each, childKills, commitKills, regionKills }: FaultPlan): readonly Fault[] {
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
    cutFault(site.links),
  ])
  const kills = [
    ...repeated(childKills, () => childFault(site)),
    ...repeated(commitKills, () => commitFault(site)),
    ...repeated(regionKills, (index) => regionFault(site.installation, index % 2 === 0 ? 'eu' : 'us')),
  ]
  return interleave(kills, others)
}

function repeated(count: number, make: (index: number) => Fault): readonly Fault[] {
  return Array.from({ length: count }, (_, index) => make(index))
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
    async begin() {
      await signer.stop()
      return () => signer.start()
    },
  }
}

function storeFault({ stores }: Site, region: Region): Fault {
  return wireFault(`the file store of ${region} failed`, stores[region], { kind: 'answering', bytes: S3_ERROR })
}

/** Holds the table of signatures, so that an act with its seal stands just before its end; then kills the region. */
function commitFault({ installation }: Site): Fault {
  return {
    name: 'eu was killed between a seal and its commit',
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
export function childFault({ installation }: Pick<Site, 'installation'>): Fault {
  return {
    name: 'the processes that read PDFs were killed',
    async begin(isFelt) {
      const deadline = Date.now() + KILLING_MS
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
