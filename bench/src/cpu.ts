import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that all threads of a process have used so far, in microseconds. */
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
