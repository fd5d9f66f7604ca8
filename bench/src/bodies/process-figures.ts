import { readFileSync } from 'node:fs'

/** Time that the thread of the event loop had a CPU, and time that it waited for one, in nanoseconds. */
export interface LoopTime {
  readonly run: number
  readonly wait: number
}

export function loopTime(pid: number): LoopTime {
  const [run = '0', wait = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return { run: Number(run), wait: Number(wait) }
}

/**
 * The share of the time between two readings in which the loop had a CPU when it wanted one. Other processes delay the loop
 * on a busy machine: a delay times this share is what the product itself is to blame for.
 */
export function shareOf(before: LoopTime, after: LoopTime): number {
  const run = after.run - before.run
  const wait = after.wait - before.wait
  return run + wait === 0 ? 1 : run / (run + wait)
}
