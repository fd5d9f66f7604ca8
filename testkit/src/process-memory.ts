import { readFileSync } from 'node:fs'

/** Resident memory of a process in MB, now (VmRSS) or at its peak (VmHWM); 0 for a process that has ended. */
export function processMegabytes(pid: number, mark: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(new RegExp(`^${mark}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
