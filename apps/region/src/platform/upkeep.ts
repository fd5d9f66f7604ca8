import { startLoop } from '@sealpost/process'
import type { Log } from '@sealpost/telemetry'
import type { Chore, Closable, Platform } from './module.ts'

const EVERY_MS = 60_000

/** Part of the worker role: runs the chores of all modules once a minute. */
export function startUpkeep(platform: Platform, chores: readonly Chore[]): Closable {
  return startLoop({
    name: 'upkeep',
    log: platform.log,
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    work: () => runChores(platform, chores),
  })
}

/** Runs every chore once. None starts while writes are paused; a failed one does not keep the others from running. */
export async function runChores(
  { isPaused, log }: Pick<Platform, 'isPaused' | 'log'>,
  chores: readonly Chore[],
): Promise<void> {
  if (await isPaused()) return
  await Promise.all(chores.map((chore) => attempt(chore, log)))
}

async function attempt({ what, run }: Chore, log: Log): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.warn({ err: error }, `${what} could not be tidied up; retrying in a minute`)
  }
}
