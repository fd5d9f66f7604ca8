import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Counts } from './flows/counts.ts'
import { openProgress } from './progress.ts'

interface Trial {
  readonly name: string
  /** Unless `--count` says otherwise. */
  readonly count: number
  readonly small: number
  /** Throws where model and code disagree. */
  readonly run: (seed: number, counts: Counts) => Promise<void> | void
}

const SLICE = 100

/** Tries random cases without an installation: `[--count N] [--seed S] [--small]`; the same seed goes on where it was. */
export async function tryMany({ name, count: full, small, run }: Trial, args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { count: { type: 'string' }, seed: { type: 'string' }, small: { type: 'boolean' } },
  })
  const count = Number(values.count ?? (values.small === true ? small : full))
  const seed = Number(values.seed ?? (values.small === true ? 1 : randomInt(2 ** 31)))
  const progress = openProgress(`${name}-${seed}`, values.small === true)
  console.log(`${count} cases, --seed ${seed}, of which ${progress.done} are done`)
  while (progress.done < count) {
    const to = Math.min(progress.done + SLICE, count)
    const counts = new Counts()
    const findings: string[] = []
    for (let index = progress.done; index < to; index += 1) {
      try {
        await run(seed + index * 7919, counts)
      } catch (error) {
        findings.push(
          `case ${index} (seed ${seed + index * 7919}): ${error instanceof Error ? error.stack : String(error)}`,
        )
      }
    }
    for (const finding of findings) console.log(finding)
    progress.add(to, counts.entries(), findings)
    if (to % 1000 === 0 || to === count) console.log(`  ${to} tried`)
  }
  for (const [what, times] of progress.counts) console.log(`  ${what}: ${times}`)
  console.log(`${name}: seed=${seed} tried=${progress.done} findings=${progress.findings.length}`)
  return progress.findings.length === 0 ? 0 : 1
}
