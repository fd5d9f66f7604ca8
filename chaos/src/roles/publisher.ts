import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PublishedRow, PublisherPlan, PublisherReport } from './publisher-plan.ts'

/** A publisher in its own process, which is never killed: its reports say what was committed. */
export interface Publisher {
  /** Per service in the order of the commits. */
  readonly rows: readonly PublishedRow[]
  /** Ids of the rows whose commit has an unknown outcome. */
  readonly unsure: ReadonlySet<string>
  /** When the last transaction was acknowledged. */
  lastAckMs(): number
  /** The longest time without an acknowledgement since `sinceMs`. */
  longestGapMs(sinceMs: number): number
  failures(): number
  readonly done: Promise<void>
  end(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./publisher-program.ts', import.meta.url))

export function startPublisher(plan: PublisherPlan): Publisher {
  const rows: PublishedRow[] = []
  const unsure = new Set<string>()
  const acks: number[] = []
  let failures = 0
  const env = { ...process.env, PUBLISHER_PLAN: JSON.stringify(plan) }
  const child = fork(PROGRAM, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const finished = Promise.withResolvers<void>()
  child.once('exit', (code) => finished.reject(new Error(`the publisher exited early with code ${code}`)))
  finished.promise.catch(() => {})
  child.on('message', (message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by publisher-program.ts as this type
    const report = message as PublisherReport
    if (report.kind === 'done') finished.resolve()
    if (report.kind === 'failed') failures += 1
    if (report.kind !== 'rows') return
    rows.push(...report.rows)
    if (report.isSure) acks.push(report.atMs)
    else for (const { id } of report.rows) unsure.add(id)
  })
  return {
    rows,
    unsure,
    lastAckMs: () => acks.at(-1) ?? 0,
    longestGapMs(sinceMs) {
      const since = [sinceMs, ...acks.filter((atMs) => atMs >= sinceMs)]
      return Math.max(0, ...since.slice(1).map((atMs, index) => atMs - (since[index] ?? atMs)))
    },
    failures: () => failures,
    done: finished.promise,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
