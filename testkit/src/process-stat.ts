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
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets, which may hold anything; the rest is plain.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
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

/** None on systems without /proc. */
export function listProcesses(): readonly number[] {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}
