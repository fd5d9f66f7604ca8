import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledPrograms } from '@sealpost/testkit'

const run = promisify(execFile)

/** Runs a command as an operator does: bundled, in a process of its own, with the settings of the region. Answers its output. */
export async function runCommand(
  command: 'restored' | 'doctor' | 'operate',
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const script = join(await bundledPrograms(), 'region', `${command}.js`)
  const { stdout } = await run(process.execPath, [script, ...args], { env: { ...settings } })
  return stdout.trim()
}
