import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { RegionPlan } from './plan.ts'

/** A region in its own process, which can be killed at any moment. */
export interface RegionProcess {
  /** SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>
  start(): void
  /** Takes effect at the next start. */
  replan(plan: RegionPlan): void
  /** Tells that it recognised as duplicates, summed over all its processes. */
  duplicates(): number
}

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url))

export function startRegionProcess(plan: RegionPlan): RegionProcess {
  let current = plan
  let child: ChildProcess | null = null
  let earlier = 0
  let reported = 0
  const region: RegionProcess = {
    async kill() {
      const killed = child
      child = null
      if (killed === null || killed.exitCode !== null || killed.signalCode !== null) return
      killed.kill('SIGKILL')
      await once(killed, 'exit')
      earlier += reported
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
    duplicates: () => earlier + reported,
  }
  region.start()
  return region
}
