import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { kindOf } from './budgets.ts'
import { COMMITTED_COSTS_FILE, readCosts } from './costs.ts'
import { pack } from './pack.ts'

const root = join(import.meta.dirname, '../../..')
/** A run is as long as its last file: one that starts last keeps one worker busy while the others have ended. */
const FIRST_FROM_MS = 15_000
/** Of files without a committed cost. */
const USUAL_MS = { unit: 100, live: 1500, journey: 15_000 } satisfies Record<ReturnType<typeof kindOf>, number>

/** The expensive files first; then as Vitest has it. Shards are packed by cost. */
export class CostSequencer extends BaseSequencer {
  readonly #costs = committedCosts()

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of Vitest, not of an array
    const usual = await super.sort(files)
    const isFirst = (file: TestSpecification): boolean => this.#costOf(file) >= FIRST_FROM_MS
    const first = usual.filter(isFirst).toSorted((one, other) => this.#costOf(other) - this.#costOf(one))
    return [...first, ...usual.filter((file) => !isFirst(file))]
  }

  override shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config
    if (shard === undefined) return Promise.resolve(files)
    // By name, because machines may list files in different orders.
    const named = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))
    const places = pack(named, (file) => this.#costOf(file), shard.count)
    return Promise.resolve([...(places[shard.index - 1] ?? [])])
  }

  #costOf({ moduleId }: TestSpecification): number {
    const file = relative(root, moduleId)
    return this.#costs.get(file) ?? USUAL_MS[kindOf(file)]
  }
}

function committedCosts(): ReadonlyMap<string, number> {
  if (!existsSync(COMMITTED_COSTS_FILE)) return new Map()
  return new Map(readCosts(readFileSync(COMMITTED_COSTS_FILE, 'utf8')).map(({ file, ms }) => [file, ms]))
}
