import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive } from './processes.ts'

/** Creates a file that names this process; false while a living process holds it. */
export function claimFile(file: string): boolean {
  dropStaleClaim(file)
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Removes the file if the process that it names has ended. */
export function dropStaleClaim(file: string): void {
  try {
    if (!isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
  } catch {
    // There is none, or its owner released it in between.
  }
}
