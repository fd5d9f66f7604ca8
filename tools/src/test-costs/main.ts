import { existsSync, readFileSync } from 'node:fs'
import { areaOf, COSTS_FILE, type Cost, readCosts } from './marks.ts'

const SHOWN_FILES = 40

/** `npm run test-costs`: the CPU time of the last run of the tests, by area and for the most expensive files. */
function main(): void {
  if (!existsSync(COSTS_FILE)) {
    console.error('no run of the tests has recorded its costs; run npm test first')
    process.exitCode = 1
    return
  }
  const costs = readCosts(readFileSync(COSTS_FILE, 'utf8'))
  const areas = Object.entries(Object.groupBy(costs, ({ file }) => areaOf(file))).map(([file, list = []]) => ({
    file: `${file} (${list.length} files)`,
    ms: sum(list),
  }))
  print('area', areas)
  console.log()
  print('file', costs.slice().toSorted(byCost).slice(0, SHOWN_FILES))
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
