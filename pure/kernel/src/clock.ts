import type { Brand } from './brand.ts'

/** Milliseconds since 1970-01-01 UTC. */
export type Instant = Brand<number, 'Instant'>

export interface Clock {
  now(): Instant
}

export function instant(ms: number): Instant {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every number of milliseconds is an instant
  return ms as Instant
}

/** The wire's timestamp: UTC, milliseconds, an explicit offset, e.g. `2026-05-01T09:30:00.000+00:00`. */
export function formatInstant(at: Instant): string {
  return new Date(at).toISOString().replace('Z', '+00:00')
}

/** Accepts `Z` and any offset; null for anything that is not a full timestamp. */
export function parseInstant(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : instant(ms)
}
