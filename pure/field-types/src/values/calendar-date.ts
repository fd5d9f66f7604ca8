const SHAPE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** `YYYY-MM-DD` of the Gregorian calendar, which has no year 0. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = (SHAPE.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return year >= 1 && day >= 1 && day <= daysOf(year, month)
}

/** 0 for a month that does not exist. */
function daysOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0)
}
