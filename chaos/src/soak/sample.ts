import { readdirSync } from 'node:fs'
import { type Database, runStatement } from '@sealpost/postgres'
import type { AppProcess, Inspector } from '@sealpost/testkit'

/** The sizes of an installation at one time, by name. */
export interface Sample {
  /** Bytes in use on the JavaScript heap, by process: a collection has just ended. */
  readonly heap: Readonly<Record<string, number>>
  /** Open descriptors, by process. */
  readonly descriptors: Readonly<Record<string, number>>
  /** Waiting work, by metric. */
  readonly queues: Readonly<Record<string, number>>
  /** Live rows, by table; the partitions of a table are one. */
  readonly rows: Readonly<Record<string, number>>
}

const QUEUES: readonly string[] = [
  'bus_pending_lanes',
  'bus_failing_lanes',
  'jobs_pending',
  'jobs_dead',
  'webhook_backlog',
  'http_inflight_calls',
  'http_large_bodies_waiting',
]

export interface WatchedProcess {
  readonly process: AppProcess
  readonly inspector: Inspector
}

export async function takeSample(watched: readonly WatchedProcess[], database: Database): Promise<Sample> {
  const processes = watched.map((one) => one.process)
  await Promise.all(watched.map(({ inspector }) => inspector.collectGarbage()))
  const metrics = await Promise.all(processes.map(readMetrics))
  const names = processes.map(({ name }) => name)
  const heaps = metrics.map((values) => values.get('process_heap_used_bytes') ?? Number.NaN)
  return {
    heap: record(names, heaps),
    descriptors: record(
      names,
      processes.map((one) => readdirSync(`/proc/${one.pid()}/fd`).length),
    ),
    queues: record(
      QUEUES,
      // Gauges of a table are the same in each process.
      QUEUES.map((queue) => Math.max(0, ...metrics.map((values) => values.get(queue) ?? 0))),
    ),
    rows: await readRows(database),
  }
}

/** The values of a process, those with several labels added up. */
async function readMetrics({ internalUrl }: AppProcess): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${internalUrl}/internal/metrics`)).text()
  const values = new Map<string, number>()
  for (const [, name = '', value = ''] of text.matchAll(/^([a-z_]+)(?:\{[^}]*\})? (\S+)/gm))
    values.set(name, (values.get(name) ?? 0) + Number(value))
  return values
}

async function readRows(database: Database): Promise<Readonly<Record<string, number>>> {
  const sql = `select schemaname || '.' || regexp_replace(relname, '_?[0-9]+$', '') as name, sum(n_live_tup)::int as rows
    from pg_stat_user_tables group by 1 order by 1`
  const found = await database.read((read) => runStatement<{ name: string; rows: number }>(read, sql, []))
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
}

function record(names: readonly string[], values: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? Number.NaN]))
}
