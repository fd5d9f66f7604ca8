import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Type from 'typebox'
import Value from 'typebox/value'
import { runGuesses } from '../guesses/run.ts'
import { runHostileDefinitions } from '../hostile-definitions/run.ts'
import { runSlice } from './run.ts'

/** As many as one installation gets. */
const SLICE = 100_000
const FOLDER = join(import.meta.dirname, '../../../.local/hostile-inputs')

const Progress = Type.Object({
  done: Type.Integer(),
  statuses: Type.Record(Type.String(), Type.Integer()),
  findings: Type.Array(Type.String()),
})
type Progress = Type.Static<typeof Progress>

/**
 * `npm run hostile-inputs -- [--count N] [--seed S]`: hostile requests to all routes. No answer may be a 500, take longer
 * than 10 s, or contain a secret or an id of another tenant. The same seed goes on where an interrupted run stopped.
 * `npm run hostile-inputs -- definitions [--count N] [--seed S]`: hostile flows and values, and what they cost.
 * `npm run hostile-inputs -- guesses [--count N] [--seed S]`: share codes that are tried, and how many get an answer.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { count: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  })
  const seed = Number(values.seed ?? randomInt(2 ** 31))
  if (positionals[0] === 'definitions') return definitions(seed, Number(values.count ?? 300))
  if (positionals[0] === 'guesses') return guesses(seed, Number(values.count ?? 100_000))
  const count = Number(values.count ?? 1_000_000)
  const file = join(FOLDER, `${seed}.json`)
  let progress = readProgress(file)
  console.log(`${count} inputs, --seed ${seed}${progress.done > 0 ? `, of which ${progress.done} are done` : ''}`)
  for (const finding of progress.findings) console.log(finding)
  const startedMs = performance.now()
  while (progress.done < count) {
    const from = progress.done
    const to = Math.min(from + SLICE, count)
    const { findings, statuses } = await runSlice({ seed, from, to }, (done) => {
      if (done % 5_000 === 0)
        console.log(`  ${from + done} sent, ${Math.round((performance.now() - startedMs) / 1000)} s`)
    })
    for (const finding of findings) console.log(finding)
    progress = { done: to, statuses: add(progress.statuses, statuses), findings: [...progress.findings, ...findings] }
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, JSON.stringify(progress))
  }
  const counts = Object.entries(progress.statuses).map(([status, times]) => `${status}=${times}`)
  console.log(
    `hostile-inputs: seed=${seed} sent=${progress.done} findings=${progress.findings.length} ${counts.join(' ')}`,
  )
  // Only a run that was interrupted goes on.
  rmSync(file, { force: true })
  return progress.findings.length === 0 ? 0 : 1
}

async function definitions(seed: number, count: number): Promise<number> {
  console.log(`${count} definitions, --seed ${seed}`)
  const { findings, statuses, worst } = await runHostileDefinitions({ seed, count }, (done) => {
    if (done % 25 === 0) console.log(`  ${done} played`)
  })
  for (const finding of findings) console.log(finding)
  for (const [step, { longestMs, moreMb }] of Object.entries(worst))
    console.log(`  ${step}: longest task ${Math.round(longestMs)} ms of CPU, at most ${Math.round(moreMb)} MB more`)
  const counts = Object.entries(statuses).map(([status, times]) => `${status}=${times}`)
  console.log(`hostile definitions: seed=${seed} played=${count} findings=${findings.length} ${counts.join(', ')}`)
  return findings.length === 0 ? 0 : 1
}

/** So many connections of each caller that the refusals of most are not held back. */
const GUESSERS = 300

async function guesses(seed: number, count: number): Promise<number> {
  console.log(`${count} guesses, --seed ${seed}`)
  const { answered, most, statuses } = await runGuesses({ count, seed, concurrency: GUESSERS })
  const counts = Object.entries(statuses).map(([status, times]) => `${status}=${times}`)
  console.log(`guesses: seed=${seed} sent=${count} answered=${answered} (at most ${most}) ${counts.join(', ')}`)
  return answered <= most ? 0 : 1
}

function readProgress(file: string): Progress {
  if (!existsSync(file)) return { done: 0, statuses: {}, findings: [] }
  return Value.Parse(Progress, JSON.parse(readFileSync(file, 'utf8')))
}

function add(one: Progress['statuses'], other: Progress['statuses']): Progress['statuses'] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]))
}

process.exit(await main())
