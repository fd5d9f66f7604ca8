import { atWorkerEnd } from '@sealpost/testkit'
import type { Browser } from 'playwright-core'
import { launchQuietly } from './launch-quietly.ts'

/** The end of a test file, as a world has it. */
interface Borrower {
  onEnd(free: () => Promise<void>): void
}

let running: Promise<Browser> | null = null

/**
 * The browser that the files of this worker share: each start costs 1 s of CPU. Contexts keep them apart, and those that
 * a borrower leaves open are closed at its end.
 */
export async function borrowBrowser(borrower?: Borrower): Promise<Browser> {
  running ??= launch()
  // It has crashed.
  if (!(await running).isConnected()) running = launch()
  const browser = await running
  borrower?.onEnd(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return browser
}

function launch(): Promise<Browser> {
  const browser = launchQuietly()
  atWorkerEnd(async () => (await browser).close())
  return browser
}
