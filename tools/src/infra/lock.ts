import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, waitUntil } from '@sealpost/testkit/engines'
import { localFolder } from './local-folder.ts'

const WAIT_MS = 300_000

/** One run at a time per checkout: two would both find an engine missing and both start it. */
export async function withInfraLock(work: () => Promise<void>): Promise<void> {
  const file = join(localFolder('run'), 'lock')
  if (!take(file)) {
    console.log('  waiting for another run of infra in this checkout …')
    await waitUntil(`${file} is free`, WAIT_MS, () => take(file))
  }
  try {
    await work()
  } finally {
    rmSync(file, { force: true })
  }
}

function take(file: string): boolean {
  deleteStale(file)
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function deleteStale(file: string): void {
  try {
    if (!isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
  } catch {
    // There is no lock file.
  }
}
