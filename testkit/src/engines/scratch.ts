import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './processes.ts'

const PREFIX = 'sealpost-engine-'
/** A file system without a disk, where Linux has one; containers often give it a few megabytes only. */
const MEMORY = '/dev/shm'
const MEMORY_WANTED_BYTES = 2 * 1024 ** 3
const owned = new Set<string>()
let hasSwept = false

export interface ScratchOptions {
  /** Not on a disk, as far as this machine can. */
  readonly inMemory?: boolean
}

/** A fresh directory for one engine; removed when this process ends, or by the next run if it was killed. */
export function createScratch(engine: string, { inMemory = false }: ScratchOptions = {}): string {
  if (!hasSwept) {
    hasSwept = true
    for (const root of [tmpdir(), MEMORY]) sweepLeftovers(root)
    process.on('exit', () => owned.forEach(removeScratch))
  }
  const root = inMemory && isRoomy(MEMORY) ? MEMORY : tmpdir()
  const folder = mkdtempSync(join(root, `${PREFIX}${process.pid}-${engine}-`))
  owned.add(folder)
  return folder
}

export function removeScratch(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  owned.delete(folder)
}

function isRoomy(root: string): boolean {
  if (!existsSync(root)) return false
  const { bavail, bsize } = statfsSync(root)
  return bavail * bsize > MEMORY_WANTED_BYTES
}

function sweepLeftovers(root: string): void {
  if (!existsSync(root)) return
  for (const name of readdirSync(root)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    try {
      rmSync(join(root, name), { recursive: true, force: true })
    } catch {
      // Another user's leftover, or a second run sweeping the same one.
    }
  }
}
