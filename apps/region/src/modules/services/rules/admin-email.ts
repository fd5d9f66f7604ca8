import { refuse } from '@sealpost/protocol'

const ADDRESS = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/
const LONGEST = 254

/** Null for a text that no alert could be sent to. */
export function readAdminEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const address = value.trim()
  return address.length <= LONGEST && ADDRESS.test(address) ? address : null
}

export function requireAdminEmail(value: unknown): string {
  const address = readAdminEmail(value)
  if (address === null) throw refuse('services.admin_email_invalid')
  return address
}
