import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import Type, { type Static } from 'typebox'
import Value from 'typebox/value'
import { joinResults, testedFiles } from '../conformance/results.ts'
import { pack } from '../test-costs/pack.ts'
import { NOT_TESTS, TEST_FOLDERS } from '../test-costs/test-files.ts'
import { nameOf, type Shard } from './options.ts'
import type { Step } from './step.ts'
import { RESULTS } from './steps.ts'

/** The steps of one machine. Tests are packed on their own: Vitest asks the sequencer. */
export function stepsOfShard<S extends Step>(steps: readonly S[], shard: Shard | null): readonly S[] {
  if (shard === null) return steps
  const divided = steps.filter(({ isEverywhere }) => isEverywhere !== true)
  const own = pack(divided, ({ seconds }) => seconds, shard.count)[shard.index - 1] ?? []
  return steps.filter((step) => step.isEverywhere === true || own.includes(step))
}

const ShardVerdict = Type.Object({ commit: Type.String(), hasPassed: Type.Boolean() })
type ShardVerdict = Static<typeof ShardVerdict>

/** Keeps what a merge needs: the results of the tests and whether all steps passed. */
export function keepShard(root: string, state: string, shard: Shard, verdict: ShardVerdict): void {
  const folder = join(state, 'shards', nameOf(shard))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  if (existsSync(join(root, RESULTS))) cpSync(join(root, RESULTS), join(folder, 'results.json'))
  writeFileSync(join(folder, 'verdict.json'), JSON.stringify(verdict))
  writeFileSync(join(folder, 'root'), root)
}

/** Joins the results of all shards into one file; answers what is wrong. */
export function mergeShards(root: string, folder: string, commit: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+-of-\d+$/.test(name)) : []
  const count = Number(names[0]?.split('-of-')[1] ?? 0)
  if (count === 0) return [`${folder} contains no results of a shard`]
  const wanted = Array.from({ length: count }, (_, place) => nameOf({ index: place + 1, count }))
  const missing = wanted.filter((name) => !existsSync(join(folder, name, 'results.json')))
  if (missing.length > 0) return missing.map((name) => `the results of shard ${name} are missing`)
  const verdicts = wanted.flatMap((name) => problemsOf(join(folder, name), name, commit))
  const joined = joinResults(wanted.map((name) => readMoved(join(folder, name), root)))
  mkdirSync(join(root, '.vitest'), { recursive: true })
  writeFileSync(join(root, RESULTS), joined)
  return [...verdicts, ...untestedFiles(root, joined).map((file) => `${file} was run by no shard`)]
}

function problemsOf(folder: string, name: string, commit: string): readonly string[] {
  const verdict = Value.Parse(ShardVerdict, JSON.parse(readFileSync(join(folder, 'verdict.json'), 'utf8')))
  return [
    ...(verdict.hasPassed ? [] : [`shard ${name} has failed`]),
    ...(verdict.commit === commit ? [] : [`shard ${name} is of the commit ${verdict.commit}, not of ${commit}`]),
  ]
}

/** The results name files by their place on the machine of the shard. */
function readMoved(folder: string, root: string): string {
  const there = readFileSync(join(folder, 'root'), 'utf8')
  return readFileSync(join(folder, 'results.json'), 'utf8').replaceAll(`"${there}/`, `"${root}/`)
}

/** Test files without results, relative to the root. */
export function untestedFiles(root: string, results: string): readonly string[] {
  const tested = new Set(testedFiles(results).map((file) => relative(root, file)))
  const files = TEST_FOLDERS.flatMap((name) =>
    globSync(`${name}/**/*.test.{ts,tsx}`, { cwd: root, exclude: [...NOT_TESTS] }),
  )
  return files.filter((file) => !tested.has(file))
}
