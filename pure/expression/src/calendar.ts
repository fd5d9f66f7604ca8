import type { DateUnit } from './syntax.ts'

/** A day of the calendar, without a time or a zone. */
export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

/** `YYYY-MM-DD`, trimmed, of a day that exists; null for anything else. */
export function toDate(value: unknown): CalendarDate | null {
  if (typeof value !== 'string') return null
  const [, year, month, day] = (ISO_DATE.exec(value.trim()) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return null
  return year > 0 && day > 0 && day <= daysInMonth(year, month) ? { year, month, day } : null
}

export function dateText({ year, month, day }: CalendarDate): string {
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/** Negative when `to` comes first. */
export function dateDifference(unit: DateUnit, from: CalendarDate, to: CalendarDate): number {
  switch (unit) {
    case 'days':
      return dayNumber(to) - dayNumber(from)
    case 'weeks':
      return Math.trunc((dayNumber(to) - dayNumber(from)) / 7) + 0
    case 'months':
      return monthNumber(to) - monthNumber(from) - (to.day < from.day ? 1 : 0)
    case 'years':
      return to.year - from.year - (isEarlierInYear(to, from) ? 1 : 0)
  }
}

/** Days since the first of January of year 1. */
export function dayNumber({ year, month, day }: CalendarDate): number {
  const before = year - 1
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  const leapDay = month > 2 && isLeap(year) ? 1 : 0
  return before * 365 + leapDays + (DAYS_BEFORE_MONTH[month - 1] ?? 0) + leapDay + day - 1
}

function monthNumber({ year, month }: CalendarDate): number {
  return year * 12 + month
}

function isEarlierInYear(a: CalendarDate, b: CalendarDate): boolean {
  return a.month < b.month || (a.month === b.month && a.day < b.day)
}

/** 0 for a month that does not exist. */
function daysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}
