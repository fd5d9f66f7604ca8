import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { instant, readSettings } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { systemClock, systemIds, systemRandom } from '@sealpost/process'
import { openRegion, regionSettings } from '@sealpost/region'
import { quietTelemetry } from '@sealpost/telemetry'
import { bundledPrograms } from '@sealpost/testkit'

const DAY_MS = 86_400_000
/** The second time for objects that the first has discarded: their readers may stay for a while. */
const LATER_DAYS = [60, 61]
const GARBAGE = 'vault.garbage'

export interface Swept {
  /** Objects that no row refers to, and those that still wait for their deletion. */
  readonly orphans: number
  /** Objects that rows refer to and the store does not have. */
  readonly missing: number
  /** Rows that should be gone. */
  readonly left: number
}

type Opened = Awaited<ReturnType<typeof openRegion>>

/**
 * Runs the chores of a module with a clock that is far ahead, then compares the file store with the database. `passing`:
 * tables, or tables with a condition, whose rows the sweep must have removed.
 */
export async function sweep(
  environment: Readonly<Record<string, string>>,
  name: 'documents' | 'runs',
  passing: readonly string[],
): Promise<Swept> {
  // A run may have made the region hasty.
  const patient = { ...environment, S3_WAIT_MS: '40000' }
  let days = 0
  const opened = await openRegion(readSettings(regionSettings, patient), {
    clock: { now: () => instant(systemClock.now() + days * DAY_MS) },
    ids: systemIds(),
    random: systemRandom,
    telemetry: quietTelemetry(),
    roles: { relay: false, inbox: false, responder: false },
  })
  try {
    const { [name]: swept, vault } = opened.modules
    for (days of LATER_DAYS) for (const { run } of [...(swept.chores ?? []), ...(vault.chores ?? [])]) await run()
    let left = 0
    for (const table of passing) left += await rowsOf(opened, table)
    const garbage = await rowsOf(opened, GARBAGE)
    const report = await doctor(patient)
    const count = (pattern: RegExp): number => Number(pattern.exec(report)?.[1] ?? 0)
    return {
      orphans: garbage + count(/(\d+) objects in the bucket belong to no row/),
      missing: count(/(\d+) objects that rows refer to are missing/),
      left,
    }
  } finally {
    await opened.close()
  }
}

async function rowsOf({ platform }: Opened, table: string): Promise<number> {
  const rows = await platform.database.read((read) => runStatement(read, `select 1 from ${table}`, []))
  return rows.length
}

async function doctor(environment: Readonly<Record<string, string>>): Promise<string> {
  const program = join(await bundledPrograms(), 'region', 'doctor.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'objects'], { env: { ...environment } })
  return stdout
}
