import { setTimeout as pause } from 'node:timers/promises'

const PAUSE_MS = 20

/** Asks again and again until the answer is yes; past the deadline it throws, saying what never came true. */
export async function waitUntil(
  what: string,
  deadlineMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain until ${what}`)
    await pause(PAUSE_MS)
  }
}
