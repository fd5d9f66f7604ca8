import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { claimFile, waitUntil } from '@sealpost/testkit/engines'
import { localFolder } from './local-folder.ts'

const WAIT_MS = 300_000

/** One run at a time per checkout: two would both find an engine missing and both start it. */
export async function withInfraLock(work: () => Promise<void>): Promise<void> {
  const file = join(localFolder('run'), 'lock')
  if (!claimFile(file)) {
    console.log('  waiting for another run of infra in this checkout …')
    await waitUntil(`${file} is free`, WAIT_MS, () => claimFile(file))
  }
  try {
    await work()
  } finally {
    rmSync(file, { force: true })
  }
}
