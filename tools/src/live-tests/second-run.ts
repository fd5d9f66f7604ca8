import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { failedFiles, replaceResults } from '../conformance/results.ts'
import { runTool } from '../run-tool.ts'

/** More files than these do not fail by chance. */
const MOST_FILES = 20
const root = join(import.meta.dirname, '../../..')

/**
 * `node second-run.ts RESULTS`: runs the files that failed according to RESULTS once more, one at a time, and stores
 * their new results in it. Other programs on a machine can take the time that a test waits for; what fails again has
 * failed.
 */
async function main([file = '.vitest/results.json']: readonly string[]): Promise<void> {
  const first = readFileSync(file, 'utf8')
  const failed = failedFiles(first).map((path) => relative(root, path))
  if (failed.length === 0 || failed.length > MOST_FILES) {
    console.log(`second run: none, because ${failed.length} files failed`)
    process.exitCode = 1
    return
  }
  const second = `${file}.second`
  const args = ['run', '--maxWorkers=1', '--reporter=default', '--reporter=json', `--outputFile.json=${second}`]
  const { status, output } = await runTool(root, 'vitest', [...args, ...failed])
  console.log(output)
  writeFileSync(file, replaceResults(first, readFileSync(second, 'utf8')))
  for (const path of failed) console.log(`unstable: ${path} failed and ${status === 0 ? 'passed' : 'was run'} again`)
  process.exitCode = status ?? 1
}

await main(process.argv.slice(2))
