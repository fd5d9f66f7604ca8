import { createHash, timingSafeEqual } from 'node:crypto'
import type { Random } from '@sealpost/kernel'

export const BACKUP_CODES = 10
const LETTERS = 'abcdefghjklmnpqrstuvwxyz23456789'
const HALF = 5

/** `x7kfm-2pq9a`: fifty bits, without letters that look alike. */
export function newBackupCodes(random: Random): readonly string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const text = Array.from(random.bytes(2 * HALF), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
    return `${text.slice(0, HALF)}-${text.slice(HALF)}`
  })
}

/** The stored form of a code, inside the sealed second factor: a process that opens it does not get the code. */
export function hashBackupCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}

/** The hashes without that of this code; null when it is not among them. */
export function withoutCode(hashes: readonly string[], code: string): readonly string[] | null {
  const wanted = Buffer.from(hashBackupCode(code))
  const left = hashes.filter((hash) => !timingSafeEqual(Buffer.from(hash), wanted))
  return left.length === hashes.length ? null : left
}
