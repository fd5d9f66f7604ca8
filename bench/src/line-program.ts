import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ScenarioContext } from '@sealpost/testkit'

/** A child process that executes each line of its standard input and answers with a line. */
export interface LineProgram {
  readonly pid: () => number
  readonly send: (line: string) => Promise<string>
}

export function openLineProgram(
  context: ScenarioContext,
  program: URL,
  environment: Readonly<Record<string, string>>,
): LineProgram {
  const file = fileURLToPath(program)
  const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'], ...environment } })
  child.stderr.pipe(process.stderr)
  context.onEnd(async () => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} exited`)))
  ended.catch(() => {})
  const answers = createInterface({ input: child.stdout })
  return {
    pid: () => child.pid ?? -1,
    async send(line) {
      const answered = once(answers, 'line').then(([answer]) => String(answer))
      child.stdin.write(`${line}\n`)
      return Promise.race([answered, ended])
    },
  }
}
