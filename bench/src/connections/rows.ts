import { randomBytes } from 'node:crypto'

/** A connection as its row in the database will be; ids rise with `number`, so pages come in that order. */
export interface SeedConnection {
  readonly id: string
  readonly customerId: string
  readonly number: number
}

const FIRST_MS = Date.UTC(2026, 0, 1)
const WRAPPED_KEY_BYTES = 256
const IV_BYTES = 12
const LEAST_DATA_BYTES = 76
const MORE_DATA_BYTES = 76

/** `family` keeps the connections of different services apart. */
export function seedConnection(family: number, number: number): SeedConnection {
  return { id: uuidV7(number, family, 1), customerId: uuidV7(number, family, 2), number }
}

/**
 * A value of the real shape: a 2048-bit RSA block, an IV and 100 to 200 characters of ciphertext, all random, so that
 * nothing on the way can make it smaller than real ones are.
 */
export function wrapperText(source: RandomText): string {
  const data = LEAST_DATA_BYTES + source.number(MORE_DATA_BYTES)
  const [k, iv, d] = [WRAPPED_KEY_BYTES, IV_BYTES, data].map((bytes) => source.text(bytes))
  return JSON.stringify({ _enc: 1, k, iv, d })
}

/** Random bytes by the megabyte: asking for each value would cost more than writing it. */
export interface RandomText {
  text(bytes: number): string
  number(below: number): number
}

export function randomText(): RandomText {
  const SIZE = 1 << 20
  let block = randomBytes(SIZE)
  let at = 0
  const take = (bytes: number): Buffer => {
    if (at + bytes > SIZE) {
      block = randomBytes(SIZE)
      at = 0
    }
    at += bytes
    return block.subarray(at - bytes, at)
  }
  return {
    text: (bytes) => take(bytes).toString('base64'),
    number: (below) => take(4).readUInt32LE(0) % below,
  }
}

function uuidV7(number: number, family: number, kind: number): string {
  const time = (FIRST_MS + number).toString(16).padStart(12, '0')
  const tail = (family * 10 + kind).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`
}
