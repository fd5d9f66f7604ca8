import { setTimeout as pause } from 'node:timers/promises'
import { scaled } from '../slowness.ts'

const PAUSE_MS = 20

/** Polls until `holds` is true. The deadline is scaled by the slowness of the machine; past it, it throws with `what`. */
export async function waitUntil(
  what: string,
  deadlineMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const limitMs = scaled(deadlineMs)
  const end = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`)
    await pause(PAUSE_MS)
  }
}
