const ADDRESS = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/
const LONGEST = 254

/** Null for what no alert could be sent to. */
export function readAdminEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim()
  return address.length <= LONGEST && ADDRESS.test(address) ? address : null
}
