import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a command as an operator does: in a process of its own, with the settings of the region. Answers its output. */
export async function runCommand(
  command: 'restored.ts' | 'doctor/main.ts' | 'operate/main.ts',
  settings: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const script = fileURLToPath(new URL(`../${command}`, import.meta.url))
  const { stdout } = await run(process.execPath, [script, ...args], { env: { ...settings } })
  return stdout.trim()
}
