import type { Language } from './language.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** Relative up to a day, then a date; the year only where it is another one. */
export function formatWhen(language: Language, at: string, nowMs: number): string {
  const atMs = Date.parse(at)
  const ago = nowMs - atMs
  if (ago >= 0 && ago < DAY_MS) return formatAgo(language, ago)
  return formatDay(language, at, nowMs)
}

export function formatDay(language: Language, at: string, nowMs: number): string {
  const day = new Date(Date.parse(at))
  const isThisYear = day.getFullYear() === new Date(nowMs).getFullYear()
  const shape = { day: 'numeric', month: 'long' } as const
  const options: Intl.DateTimeFormatOptions = isThisYear ? shape : { ...shape, year: 'numeric' }
  return dateFormat(language, options).format(day)
}

/** The time of day of something that has just happened. */
export function formatTime(language: Language, at: string): string {
  const shape = { hour: '2-digit', minute: '2-digit' } as const
  return dateFormat(language, shape).format(new Date(Date.parse(at)))
}

/** A calendar date of a value, `2001-02-28`: it has no time zone. */
export function formatDate(language: Language, date: string): string {
  const shape = { dateStyle: 'long', timeZone: 'UTC' } as const
  const atMs = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(atMs) ? date : dateFormat(language, shape).format(new Date(atMs))
}

/** The size of a file, as people say it. */
export function formatBytes(language: Language, bytes: number): string {
  const [unit, size] = unitOf(bytes)
  const shape = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: bytes < 10 * size ? 1 : 0 } as const
  return new Intl.NumberFormat(localeOf(language), shape).format(bytes / size)
}

function unitOf(bytes: number): readonly [unit: string, size: number] {
  if (bytes < 1_000_000) return ['kilobyte', 1000]
  return bytes < 1_000_000_000 ? ['megabyte', 1_000_000] : ['gigabyte', 1_000_000_000]
}

function formatAgo(language: Language, agoMs: number): string {
  const relative = kept(
    agoFormats,
    language,
    () => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }),
  )
  if (agoMs < MINUTE_MS) return relative.format(0, 'second')
  if (agoMs < HOUR_MS) return relative.format(-Math.floor(agoMs / MINUTE_MS), 'minute')
  return relative.format(-Math.floor(agoMs / HOUR_MS), 'hour')
}

const agoFormats = new Map<string, Intl.RelativeTimeFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(language: Language, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${language} ${JSON.stringify(shape)}`
  return kept(dateFormats, name, () => new Intl.DateTimeFormat(localeOf(language), shape))
}

/** A list of hundreds of rows needs the same few; to make one takes longer than to use it. */
function kept<Format>(formats: Map<string, Format>, name: string, make: () => Format): Format {
  const format = formats.get(name) ?? make()
  formats.set(name, format)
  return format
}

/** Days before months, as most readers of English outside of the United States write them. */
function localeOf(language: Language): string {
  return language === 'en' ? 'en-GB' : language
}
