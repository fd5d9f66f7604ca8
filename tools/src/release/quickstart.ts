import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { ROOT, startInstallation } from '@sealpost/testkit'
import { seedFirstConnection } from '@sealpost/testkit/demo'
import type { NodeProgram } from './nodes.ts'
import { requireTool } from './require-tool.ts'

export const PROGRAM = 'first-value.ts'
const EXPECTED = 'Mara signed\nlives in Portland'

/** Puts the program of the README into the project. */
export function copyProgram(project: string): void {
  const source = join(ROOT, 'examples/first-value', PROGRAM)
  copyFileSync(source, join(project, PROGRAM))
  // For versions of Node that do not run TypeScript.
  writeFileSync(join(project, 'first-value.js'), stripTypeScriptTypes(readFileSync(source, 'utf8')))
}

/** Runs the quickstart with the installed packages against an installation of its own, under each version of Node. */
export async function runQuickstart(project: string, nodes: readonly NodeProgram[]): Promise<readonly string[]> {
  const installation = await startInstallation()
  try {
    const demo = join(project, 'demo')
    await seedFirstConnection(installation, demo)
    const problems: string[] = []
    for (const node of nodes) problems.push(...(await runWith(node, project, demo)))
    return problems
  } finally {
    await installation.stop()
  }
}

async function runWith({ path, version }: NodeProgram, project: string, demo: string): Promise<readonly string[]> {
  const run = async (...args: readonly string[]): Promise<string> =>
    (await requireTool(project, path, args).catch(String)).trim()
  const command = join(project, 'node_modules/@sealpost/cli/sealpost.js')
  const settings = join(demo, 'sealpost.json')
  const outcomes = [
    ['everything can be imported', await run('everything.js'), /'@sealpost\/sdk': [1-9]/],
    ['the first program', await run('first-value.js', demo), new RegExp(`^${EXPECTED}$`, 'm')],
    ['sealpost', await run(command, 'connections', 'list', '--decrypt', '--config', settings), /Portland/],
  ] as const
  return outcomes.flatMap(([what, output, wanted]) =>
    wanted.test(output) ? [] : [`Node ${version}: ${what} printed:\n${output}`],
  )
}
