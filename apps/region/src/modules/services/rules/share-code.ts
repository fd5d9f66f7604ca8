import { refuse } from '@sealpost/protocol'

const SHARE_CODE = /^[A-Z0-9]{1,8}$/
const LONGEST = 8

export function isShareCode(value: unknown): value is string {
  return typeof value === 'string' && SHARE_CODE.test(value)
}

export function requireShareCode(value: unknown): string {
  if (!isShareCode(value)) throw refuse('services.share_code_invalid')
  return value
}

/** Makes a code from the name of a service, with a number where the plain one is taken. */
export function presetCode(name: string, taken: readonly string[]): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
  const base = letters === '' ? 'SERVICE' : letters.slice(0, LONGEST)
  const known = new Set(taken)
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : String(number)
    const code = base.slice(0, LONGEST - suffix.length) + suffix
    if (!known.has(code)) return code
  }
}
