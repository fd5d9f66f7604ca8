import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Ended {
  readonly status: number | null
  /** Both streams, in the order in which they were written. */
  readonly output: string
}

/** Runs a program in a checkout, with the tools that the checkout has installed first on the path. */
export function runTool(checkout: string, program: string, args: readonly string[]): Promise<Ended> {
  const PATH = `${join(checkout, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  return runProgram(checkout, program, args, { PATH })
}

export async function runProgram(
  folder: string,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(child, 'close')
  return { status: child.exitCode, output: Buffer.concat(chunks).toString() }
}
