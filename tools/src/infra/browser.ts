import { existsSync } from 'node:fs'
import { runCommand } from '@sealpost/testkit/engines'
import type { EnginePlan } from './engine.ts'

const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/** The browser of the live tests: installed here and run once as a check; each test starts its own process. */
export function planBrowser(): EnginePlan {
  return {
    daemon: 'chromium',
    wellKnownUrl: DEBIAN_CHROMIUM,
    answers: async (program) => existsSync(program),
    packages: ['chromium'],
    start: tryBrowser,
  }
}

async function tryBrowser(): Promise<string> {
  await runCommand({ file: DEBIAN_CHROMIUM, args: ['--version'] })
  return DEBIAN_CHROMIUM
}
