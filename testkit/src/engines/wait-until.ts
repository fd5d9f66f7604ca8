import { setTimeout as pause } from 'node:timers/promises'
import { scaled } from '../slowness.ts'

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 100

/**
 * Polls until `holds` is true. The deadline is scaled by the slowness of the machine; past it, it throws with `what`. Most
 * polls are calls, and their CPU time delays what is waited for: the pauses grow to an eighth of the time that has passed.
 */
export async function waitUntil(
  what: string,
  deadlineMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const limitMs = scaled(deadlineMs)
  const startedAt = performance.now()
  while (!(await holds())) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > limitMs) throw new Error(`waited ${limitMs} ms in vain until ${what}`)
    await pause(Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs / 8)))
  }
}
