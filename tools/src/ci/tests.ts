import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { countTests, failedFiles, joinResults, parseResults, replaceResults } from '../conformance/results.ts'
import type { Shard } from './options.ts'
import { runCommand } from './run-command.ts'
import { hasFailed, logOf, type RunContext } from './run-steps.ts'
import { untestedFiles } from './shards.ts'
import { RESULTS, TEST_PROJECTS } from './steps.ts'

/** More files than these do not fail by chance. */
const MOST_FILES = 20

type Project = (typeof TEST_PROJECTS)[number]

/** Runs all tests, the cheap ones first, and answers the files that passed only at the second attempt. */
export async function runTests(context: RunContext, shard: Shard | null): Promise<readonly string[]> {
  const results: string[] = []
  const unstable: string[] = []
  for (const project of TEST_PROJECTS) {
    const began = Date.now()
    const run = await runProject(context, project, shard)
    const seconds = Math.round((Date.now() - began) / 1000)
    const outcome = run.hasPassed ? 'passed' : 'failed'
    context.results.push({ name: nameOf(project), outcome, seconds, isUnstable: false })
    if (run.results !== null) results.push(run.results)
    unstable.push(...run.unstable)
    if (!run.hasPassed) break
  }
  if (results.length > 0) writeFileSync(join(context.root, RESULTS), joinResults(results))
  if (shard === null && !hasFailed(context)) requireAllFiles(context)
  return unstable
}

/** A file that Vitest does not find, or stopped before, has shown nothing. */
function requireAllFiles({ root, results, print }: RunContext): void {
  const untested = untestedFiles(root, readFileSync(join(root, RESULTS), 'utf8'))
  for (const file of untested) print(`${file} was not run`)
  const outcome = untested.length === 0 ? 'passed' : 'failed'
  results.push({ name: 'every test file has run', outcome, seconds: 0, isUnstable: false })
}

interface ProjectRun {
  readonly hasPassed: boolean
  /** As Vitest's JSON reporter writes them; null when there are none. */
  readonly results: string | null
  readonly unstable: readonly string[]
}

async function runProject(context: RunContext, project: Project, shard: Shard | null): Promise<ProjectRun> {
  const part = shard === null ? [] : [`--shard=${shard.index}/${shard.count}`]
  const first = await runVitest(context, project, [`--bail=${project.bail}`, ...part])
  if (first.hasPassed || first.results === null) return { ...first, unstable: [] }
  const failed = failedFiles(first.results).map((file) => relative(context.root, file))
  const { failed: failedTests } = countTests(parseResults(first.results))
  // Vitest has stopped at so many failed tests: it has not run the other files.
  const hasStopped = failedTests >= project.bail
  if (hasStopped || failed.length === 0 || failed.length > MOST_FILES) {
    context.print(`-- ${nameOf(project)}: no second attempt; ${failedTests} tests in ${failed.length} files failed`)
    return { ...first, unstable: [] }
  }
  // One at a time: other programs on a machine can take the time that a test waits for.
  const second = await runVitest(context, project, ['--maxWorkers=1', ...failed], 'second attempt')
  if (second.results === null) return { ...first, unstable: [] }
  const results = replaceResults(first.results, second.results)
  const again = new Set(failedFiles(results).map((file) => relative(context.root, file)))
  return { hasPassed: second.hasPassed, results, unstable: failed.filter((file) => !again.has(file)) }
}

async function runVitest(
  context: RunContext,
  { project, limitSeconds }: Project,
  args: readonly string[],
  attempt = 'tests',
): Promise<Omit<ProjectRun, 'unstable'>> {
  const file = join(context.root, `.vitest/ci-${project}.json`)
  rmSync(file, { force: true })
  const name = `${project} ${attempt}`
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const command = ['node_modules/.bin/vitest run --project', project, ...reporters, ...args].join(' ')
  context.print(`== ${name}: ${command}`)
  const log = logOf(context, { name })
  const { code, seconds } = await runCommand(command, { root: context.root, log, limitSeconds, isShown: true })
  context.print(`-- ${name}: ${code === 0 ? 'passed' : `failed (exit code ${code})`} in ${seconds} s`)
  return { hasPassed: code === 0, results: existsSync(file) ? readFileSync(file, 'utf8') : null }
}

function nameOf({ project }: Project): string {
  return `${project} tests`
}
