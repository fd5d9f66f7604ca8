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
  const inDay = at % DAY_MS
  // Left to the engine: years that need a sign, fractions, invalid times, and all times before 1970.
  if (!(at >= 0 && at < YEAR_10000_MS && Number.isInteger(at))) return new Date(at).toISOString().replace('Z', '+00:00')
  const day = at - inDay
  // Pages of events are formatted by the thousand, nearly all of them on a few days.
  if (day !== lastDay.at) lastDay = { at: day, text: new Date(day).toISOString().slice(0, 11) }
  const seconds = Math.floor(inDay / 1000)
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return `${lastDay.text}${clock}.${String(inDay % 1000).padStart(3, '0')}+00:00`
}

const DAY_MS = 86_400_000
const YEAR_10000_MS = 253_402_300_800_000
let lastDay = { at: 0, text: '1970-01-01T' }

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** Accepts `Z` and any offset; null for anything that is not a full timestamp. */
export function parseInstant(text: string): Instant | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text)) return null
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : instant(ms)
}
