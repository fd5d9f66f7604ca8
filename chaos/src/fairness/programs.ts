import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A load program in a process of its own, so that its work does not slow the measurement of another one. */
export interface Program<Report> {
  /** What it reports at its end. */
  readonly report: Promise<Report>
  /** Tells it to end; its report follows. */
  stop(): void
  end(): Promise<void>
}

export function startProgram<Report>(name: 'neighbours' | 'hostile', plan: object): Program<Report> {
  const program = fileURLToPath(new URL(`./${name}-program.ts`, import.meta.url))
  const env = { ...process.env, FAIRNESS_PLAN: JSON.stringify(plan) }
  const child = fork(program, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const reported = Promise.withResolvers<Report>()
  reported.promise.catch(() => {})
  child.once('exit', (code) => reported.reject(new Error(`the ${name} program exited with code ${code}`)))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the program as this type
  child.once('message', (message) => reported.resolve(message as Report))
  return {
    report: reported.promise,
    stop: () => void child.send('stop'),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
