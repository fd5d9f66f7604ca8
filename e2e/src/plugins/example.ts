import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from '@sealpost/testkit'

export interface RunningExample extends AsyncDisposable {
  readonly url: string
}

/** An example, as its README starts it, on a port of its own. */
export async function startExample(
  name: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<RunningExample> {
  const program = spawn(process.execPath, [join(ROOT, 'examples', name, 'plugin.js')], {
    env: { PATH: process.env['PATH'], PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(program, 'exit')
  const failed: Promise<never> = ended.then(([code]) => Promise.reject(new Error(`${name} exited with ${code}`)))
  const printed = once(createInterface({ input: program.stdout }), 'line')
  const line: readonly unknown[] = await Promise.race([printed, failed])
  failed.catch(() => {})
  return {
    url: String(line[0]),
    async [Symbol.asyncDispose]() {
      program.kill()
      await ended
    },
  }
}
