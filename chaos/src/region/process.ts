import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RegionPlan } from './plan.ts'

/** A region in a process of its own, which can be killed at any moment. */
export interface RegionProcess {
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  start(): void
  /** Goes on with other work from the next start on. */
  replan(plan: RegionPlan): void
  /** Tells that it has recognised as duplicates, in all its lives. */
  duplicates(): number
}

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url))

export function startRegionProcess(plan: RegionPlan): RegionProcess {
  let current = plan
  let child: ChildProcess | null = null
  let finished = 0
  let reported = 0
  const region: RegionProcess = {
    async kill() {
      const victim = child
      child = null
      if (victim === null || victim.exitCode !== null || victim.signalCode !== null) return
      victim.kill('SIGKILL')
      await once(victim, 'exit')
      finished += reported
      reported = 0
    },
    start() {
      const env = { ...process.env, REGION_PLAN: JSON.stringify(current) }
      child = fork(PROGRAM, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      child.on('message', (report: unknown) => {
        if (typeof report === 'object' && report !== null && 'duplicates' in report)
          reported = Number(report.duplicates)
      })
    },
    replan(next) {
      current = next
    },
    duplicates: () => finished + reported,
  }
  region.start()
  return region
}
