import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CAPABILITIES, type Capability, parseCapability } from './capabilities.ts'
import { formatReport } from './report.ts'
import { parseRequirements, select } from './requirements.ts'
import { parseResults } from './results.ts'
import { assess } from './verdict.ts'

const USAGE = `npm run conformance -- [options]
  --area FEED,HOOK    only the rules of these areas
  --since delivery    only the rules that can be shown once this capability exists
                      (${CAPABILITIES.join(' < ')})
  --require           exit 1 unless every selected rule is shown
  --all               list everything that is not yet shown
  --results FILE      read this file of vitest's JSON reporter instead of running the tests`

const root = join(import.meta.dirname, '../../..')

/** Prints which rules of docs/requirements.tsv the passing tests show. */
function main(): number {
  const options = readOptions()
  const all = parseRequirements(readFileSync(join(root, 'docs/requirements.tsv'), 'utf8'))
  const selected = select(all, options)
  const { outcomes } = parseResults(readFileSync(options.results ?? runTests(), 'utf8'))
  if (outcomes.length === 0) throw new Error('no test has run: see above')
  const verdict = assess(all, selected, outcomes)
  for (const line of formatReport(verdict, options.all)) console.log(line)
  const isComplete = verdict.standings.every(({ standing }) => standing === 'shown')
  return verdict.unknown.length > 0 || (options.require && !isComplete) ? 1 : 0
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      area: { type: 'string' },
      since: { type: 'string' },
      require: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      results: { type: 'string' },
    },
  })
  return { ...values, areas: values.area?.split(',') ?? null, since: readSince(values.since) }
}

function readSince(text: string | undefined): Capability | null {
  if (text === undefined) return null
  const since = parseCapability(text)
  if (since === null) throw new Error(`--since ${text}: it is one of ${CAPABILITIES.join(', ')}`)
  return since
}

/** Runs every test and answers where the results are; failing tests are part of the answer, not an error. */
function runTests(): string {
  const results = join(root, '.vitest/conformance.json')
  rmSync(results, { force: true })
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  spawnSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: 'inherit' })
  if (!existsSync(results)) throw new Error('the tests could not be run: see above')
  return results
}

try {
  process.exitCode = main()
} catch (error) {
  console.error(`conformance: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  process.exitCode = 1
}
