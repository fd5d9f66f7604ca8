import { createHash, timingSafeEqual } from 'node:crypto'
import type { Random } from '@sealpost/kernel'

export const BACKUP_CODES = 10
const LETTERS = 'abcdefghjklmnpqrstuvwxyz23456789'
const HALF = 5

/** `x7kfm-2pq9a`: fifty bits, without letters that are mistaken for others. */
export function newBackupCodes(random: Random): readonly string[] {
  return Array.from({ length: BACKUP_CODES }, () => {
    const text = Array.from(random.bytes(2 * HALF), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
    return `${text.slice(0, HALF)}-${text.slice(HALF)}`
  })
}

/** What is kept of a code, inside the seal of its second factor: nobody who may open that can read a code off it. */
export function hashBackupCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}

/** The hashes without the one of this code; null when none of them is its. */
export function withoutCode(hashes: readonly string[], code: string): readonly string[] | null {
  const wanted = Buffer.from(hashBackupCode(code))
  const left = hashes.filter((hash) => !timingSafeEqual(Buffer.from(hash), wanted))
  return left.length === hashes.length ? null : left
}
