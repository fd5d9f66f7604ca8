import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that all threads of a process have used so far, in microseconds. */
export function cpuMicroseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + threadMicroseconds(pid, thread), 0)
}

function threadMicroseconds(pid: number, thread: string): number {
  const [nanoseconds = '0'] = unlessEnded(
    () => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'),
    '0',
  ).split(' ')
  return Number(nanoseconds) / 1000
}

/** A thread may end between the list of threads and the reading of its figures. */
export function unlessEnded<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return otherwise
    throw error
  }
}
