import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What the kernel says about a process. */
export interface ProcessStat {
  readonly state: string
  readonly parent: number
  readonly group: number
  /** CPU time of the process and of its children that have ended. */
  readonly usedMs: number
  readonly birth: string
}

const MS_PER_TICK = 10

/** Null for a process that has ended, and on systems without /proc. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    const fields = readFields(`/proc/${pid}/stat`)
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return {
      state: fields[0] ?? '',
      parent: Number(fields[1]),
      group: Number(fields[2]),
      usedMs: ticks * MS_PER_TICK,
      birth: fields[19] ?? '',
    }
  } catch {
    return null
  }
}

/** The state of each thread of a process; none of one that has ended, and on systems without /proc. */
export function readThreadStates(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) => stateOf(pid, thread))
  } catch {
    return []
  }
}

/** None on systems without /proc. */
export function listProcesses(): readonly number[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** None for a thread that has ended. */
function stateOf(pid: number, thread: string): readonly string[] {
  try {
    return readFields(`/proc/${pid}/task/${thread}/stat`).slice(0, 1)
  } catch {
    return []
  }
}

/** The fields after the second, the name of the program in brackets, which may hold anything; the others are plain. */
function readFields(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
