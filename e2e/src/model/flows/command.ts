import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openProgress } from '../progress.ts'
import { DOCUMENT_REFUSALS, REFUSALS } from './refusals.ts'
import { playSlice, type Slice } from './run-slice.ts'

/** As many as one installation gets. */
const SLICE = 500

interface Size {
  readonly count: number
  readonly wire: number
  readonly accounts: number
  readonly real: number | null
  /** Those that must occur. */
  readonly refusals: readonly string[]
}

/** Random flows of one kind. */
interface Kind {
  readonly name: string
  readonly small: Size
  readonly full: Size
}

const FLOWS: Kind = {
  name: 'flows',
  small: { count: 200, wire: 6, accounts: 9, real: null, refusals: REFUSALS },
  full: { count: 10_000, wire: 300, accounts: 19, real: null, refusals: REFUSALS },
}
const SIGNING: Kind = {
  name: 'signing',
  // The others are rare in so few runs.
  small: { count: 24, wire: 2, accounts: 6, real: 3, refusals: DOCUMENT_REFUSALS },
  full: { count: 3000, wire: 150, accounts: 12, real: 150, refusals: [...REFUSALS, ...DOCUMENT_REFUSALS] },
}

/**
 * `npm run model -- flows [--count N] [--seed S] [--wire M] [--only I] [--small]`: random flows with random runs in two
 * regions, compared with a model at each step. The same seed goes on where the last run stopped; `--only` plays one run.
 */
export function playFlows(args: readonly string[]): Promise<number> {
  return play(FLOWS, args)
}

/** `npm run model -- signing`: the same with flows that make documents, until these are sealed, declined or cancelled. */
export function playSigning(args: readonly string[]): Promise<number> {
  return play(SIGNING, args)
}

async function play(kind: Kind, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: 'string' },
      seed: { type: 'string' },
      wire: { type: 'string' },
      only: { type: 'string' },
      small: { type: 'boolean' },
    },
  })
  const size = values.small === true ? kind.small : kind.full
  const count = Number(values.count ?? size.count)
  const seed = Number(values.seed ?? (values.small === true ? 1 : randomInt(2 ** 31)))
  const wire = Math.min(count, Number(values.wire ?? size.wire))
  const { accounts, real } = size
  if (values.only !== undefined) return playOnly({ seed, count, wire, accounts, real }, Number(values.only))
  const progress = openProgress(`${kind.name}-${seed}-${count}-${wire}`, values.small === true)
  console.log(`${count} runs, ${wire} of them over the wire, --seed ${seed}, of which ${progress.done} are done`)
  while (progress.done < count) {
    const from = progress.done
    const to = Math.min(from + SLICE, count)
    const { counts, findings } = await playSlice({ seed, from, to, count, wire, accounts, real }, (done) => {
      if (done % 50 === 0) console.log(`  ${from + done} played, ${cpuSeconds()} s of CPU`)
    })
    for (const finding of findings) console.log(finding)
    progress.add(to, counts.entries(), findings)
  }
  return report(`${kind.name}: seed=${seed}`, size.refusals, progress.counts, progress.findings)
}

async function playOnly(wish: Omit<Slice, 'from' | 'to'>, only: number): Promise<number> {
  const { findings } = await playSlice({ ...wish, from: only, to: only + 1 }, () => {})
  for (const finding of findings) console.log(finding)
  return findings.length === 0 ? 0 : 1
}

function report(
  title: string,
  refusals: readonly string[],
  counts: ReadonlyMap<string, number>,
  findings: readonly string[],
): number {
  for (const [name, times] of counts) console.log(`  ${name}: ${times}`)
  const unseen = refusals.filter((key) => (counts.get(`refused ${key}`) ?? 0) === 0)
  for (const key of unseen) console.log(`  never refused with ${key}`)
  console.log(
    `${title} runs=${counts.get('runs') ?? 0} turns=${counts.get('turns') ?? 0} findings=${findings.length} unseen=${unseen.length} cpu_seconds=${cpuSeconds()}`,
  )
  return findings.length === 0 && unseen.length === 0 ? 0 : 1
}

/** Of this process, with the regions in it and without the engines. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000_000)
}
