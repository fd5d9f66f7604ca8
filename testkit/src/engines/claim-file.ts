import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, processBirth } from './processes.ts'

/** Creates a file that names this process; false while a living process holds it. */
export function claimFile(file: string): boolean {
  dropStaleClaim(file)
  const text = `${process.pid} ${processBirth(process.pid)} ${randomUUID()}`
  // Linked, so that the file never exists without its text: what is empty would look like the claim of no process.
  const written = `${file}.${randomUUID()}`
  writeFileSync(written, text)
  try {
    linkSync(written, file)
    return true
  } catch {
    return false
  } finally {
    rmSync(written, { force: true })
  }
}

/** Removes the file if the process that it names has ended. */
export function dropStaleClaim(file: string): void {
  try {
    const stale = readFileSync(file, 'utf8')
    if (!hasEnded(stale)) return
    withRightToRemove(file, stale, () => {
      // Another process may have removed it and claimed the file before we had the right.
      if (readFileSync(file, 'utf8') === stale) rmSync(file)
    })
  } catch {
    // There is none, or its owner released it in between.
  }
}

/** Of all processes that find the same stale claim, one at a time: a second one would remove the claim of the first. */
function withRightToRemove(file: string, stale: string, remove: () => void): void {
  const right = `${file}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  writeFileSync(right, `${process.pid} ${processBirth(process.pid)} ${randomUUID()}`, { flag: 'wx' })
  try {
    remove()
  } finally {
    rmSync(right, { force: true })
  }
}

function hasEnded(claim: string): boolean {
  const [pid = '', birth = ''] = claim.split(' ')
  return !isAlive(Number(pid)) || (birth !== '' && processBirth(Number(pid)) !== birth)
}
