import { instant } from '@sealpost/kernel'
import type { Lifetime, Thread } from '../model.ts'

/** The time whose broadcasts a thread shows: those before its owner has deleted its copies are gone, too. */
export function shownLifetime({ from, until }: Lifetime, clearedAt: Thread['clearedAt']): Lifetime {
  return clearedAt === null || clearedAt < from ? { from, until } : { from: instant(clearedAt + 1), until }
}
