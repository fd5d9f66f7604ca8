import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { lastGreen, readRuns, stateFolder } from '../history.ts'
import { keepResults, unstableSteps } from '../keep-results.ts'
import { openContext, runSteps } from '../run-steps.ts'
import { changesIn } from './changes.ts'
import { dueLanes } from './due.ts'
import { type GreenRun, readRecord, writeRecord } from './record.ts'
import { type Lane, LANES } from './table.ts'

const USAGE = `npm run lanes                 which lanes are due, and why
npm run lanes -- --run        runs the due ones
npm run lanes -- NAME…        runs these: ${LANES.map(({ name }) => `'${name}'`).join(' ')}
npm run lanes -- --record     writes the newest green run of each lane to docs/ci-lanes.tsv; commit it`

const root = join(import.meta.dirname, '../../../..')

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { run: { type: 'boolean' }, record: { type: 'boolean' } },
  })
  const state = stateFolder(root, process.env)
  if (values.record === true) return recordGreen(state)
  if (positionals.length > 0) return runLanes(state, positionals.map(laneNamed))
  const due = dueLanes(
    LANES.map(({ name }) => name),
    readRecord(root),
    changesIn(root, LANES),
    Date.now(),
  )
  if (values.run === true)
    return runLanes(
      state,
      due.map(({ name }) => laneNamed(name)),
    )
  for (const { name } of LANES) console.log(`${name.padEnd(18)} ${reasonOf(name)}`)
  return 0

  function reasonOf(name: string): string {
    const lane = due.find((each) => each.name === name)
    return lane === undefined ? 'not due' : `due: ${lane.reason}`
  }
}

async function runLanes(state: string, lanes: readonly Lane[]): Promise<number> {
  const context = openContext(root)
  await runSteps(context, lanes)
  keepResults(state, context, { unstable: [...unstableSteps(context)], costs: {} })
  const { results, logs } = context
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  for (const { name, outcome, seconds } of results) console.log(`${name.padEnd(18)} ${outcome} (${seconds} s)`)
  if (failed.length === 0) rmSync(logs, { recursive: true, force: true })
  else console.log(`what they printed is in ${logs}`)
  return failed.length === 0 ? 0 : 1
}

/** Runs of a checkout with other files than its commit say nothing about the commit. */
function recordGreen(state: string): number {
  const runs = readRuns(state)
  const record = new Map<string, GreenRun>(readRecord(root))
  for (const name of record.keys()) if (!LANES.some((lane) => lane.name === name)) record.delete(name)
  for (const { name } of LANES) {
    const run = lastGreen(runs, name)
    if (run !== undefined) record.set(name, { commit: run.commit, date: run.startedAt.slice(0, 10) })
  }
  writeRecord(root, record)
  console.log(`docs/ci-lanes.tsv: ${record.size} of ${LANES.length} lanes have a green run`)
  return 0
}

function laneNamed(name: string): Lane {
  const lane = LANES.find((each) => each.name === name)
  if (lane === undefined) throw new Error(`there is no lane ${name}`)
  return lane
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 2
}
