import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A load program in a process of its own, so that its work does not slow the measurement of another one. */
export interface Program<Report> {
  /** Resolves when it has sent `STARTED`; not all programs do. */
  readonly started: Promise<void>
  /** What it reports at its end. */
  readonly report: Promise<Report>
  /** Tells it to end; its report follows. */
  stop(): void
  end(): Promise<void>
}

const PLAN = 'LOAD_PLAN'
/** A program sends it when its load has begun. */
export const STARTED = 'started'

/** The file of a program, which is given a plan and sends a report. */
export interface ProgramFile<Plan, Report> {
  readonly url: URL
  /** Never set: it binds the types to the file. */
  readonly types?: (plan: Plan) => Report
}

export function programFile<Plan, Report>(name: string, folder: string): ProgramFile<Plan, Report> {
  return { url: new URL(name, folder) }
}

export function startProgram<Plan extends object, Report>(
  file: ProgramFile<Plan, Report>,
  plan: Plan,
): Program<Report> {
  const program = fileURLToPath(file.url)
  const env = { ...process.env, [PLAN]: JSON.stringify(plan) }
  const child = fork(program, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const reported = Promise.withResolvers<Report>()
  reported.promise.catch(() => {})
  const begun = Promise.withResolvers<void>()
  begun.promise.catch(() => {})
  child.once('exit', (code) => {
    const error = new Error(`${basename(program)} exited with code ${code}`)
    begun.reject(error)
    reported.reject(error)
  })
  child.on('message', (message) => {
    if (message === STARTED) begun.resolve()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the program as this type
    else reported.resolve(message as Report)
  })
  return {
    started: begun.promise,
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

/** In the program: the instructions that `startProgram` was given. */
export function readPlan<Plan>(): Plan {
  const text = process.env[PLAN]
  if (text === undefined) throw new Error(`${PLAN} is not set: this program is started by \`npm run chaos\``)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by startProgram from this type
  return JSON.parse(text) as Plan
}
