import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './processes.ts'

const PREFIX = 'sealpost-engine-'
const owned = new Set<string>()

/** A fresh directory for one engine; removed when this process ends, or by the next run if it was killed. */
export function createScratch(engine: string): string {
  if (owned.size === 0) {
    sweepLeftovers()
    process.on('exit', () => owned.forEach(removeScratch))
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-${engine}-`))
  owned.add(folder)
  return folder
}

export function removeScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  owned.delete(folder)
}

function sweepLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's leftover, or a second run sweeping the same one.
    }
  }
}
