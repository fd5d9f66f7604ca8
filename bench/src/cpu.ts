import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that a process has used so far, all threads, in microseconds; the kernel counts it in nanoseconds. */
export function cpuMicroseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + threadMicroseconds(pid, thread), 0)
}

function threadMicroseconds(pid: number, thread: string): number {
  try {
    const [runNanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(runNanoseconds) / 1000
  } catch {
    // The thread ended between the two reads.
    return 0
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}
