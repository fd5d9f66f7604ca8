import { runProgram } from '../run-tool.ts'

/** Runs a program in a folder and answers what it printed; throws with that when it fails. */
export async function requireTool(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, output } = await runProgram(folder, program, args, environment)
  if (status === 0) return output
  throw new Error(`${program} ${args.join(' ')} failed:\n${output.trimEnd()}`)
}
