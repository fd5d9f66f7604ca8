import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findExpensive } from './budgets.ts'
import { areaOf, COMMITTED_COSTS_FILE, COSTS_FILE, type Cost, readCosts, writeCommitted } from './costs.ts'

const SHOWN_FILES = 40

/**
 * `npm run test-costs`: the CPU time of the last run of each test file, by area and for the most expensive ones. `--check`
 * refuses files that cost more than their budget; `--write` commits the costs by which files are ordered and packed.
 */
function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, write: { type: 'boolean' } } })
  if (!existsSync(COSTS_FILE)) {
    console.error('no run of the tests has recorded its costs; run npm test first')
    process.exitCode = 1
    return
  }
  const costs = readCosts(readFileSync(COSTS_FILE, 'utf8')).filter(({ file }) => existsSync(file))
  if (values.check === true) check(costs)
  else if (values.write === true) writeFileSync(COMMITTED_COSTS_FILE, writeCommitted(costs))
  else printAll(costs)
}

function check(costs: readonly Cost[]): void {
  const problems = findExpensive(costs, readCosts(readFileSync(COMMITTED_COSTS_FILE, 'utf8')))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0)
    console.error('make them cheaper, or add an exception with a reason: tools/src/test-costs/budgets.ts')
  console.log(`test costs: ${costs.length} files, ${problems.length} over their budget`)
  if (problems.length > 0) process.exitCode = 1
}

function printAll(costs: readonly Cost[]): void {
  const areas = Object.entries(Object.groupBy(costs, ({ file }) => areaOf(file))).map(([file, list = []]) => ({
    file: `${file} (${list.length} files)`,
    ms: sum(list),
  }))
  print('area', areas)
  console.log()
  print('file', costs.toSorted(byCost).slice(0, SHOWN_FILES))
  console.log(`\n${seconds(sum(costs))} s of CPU in ${costs.length} files`)
}

function print(title: string, costs: readonly Cost[]): void {
  console.log(`seconds of CPU  ${title}`)
  for (const { file, ms } of costs.toSorted(byCost)) console.log(`${seconds(ms).padStart(14)}  ${file}`)
}

function byCost(one: Cost, other: Cost): number {
  return other.ms - one.ms
}

function sum(costs: readonly Cost[]): number {
  return costs.reduce((total, { ms }) => total + ms, 0)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

main()
