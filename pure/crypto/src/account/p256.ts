import { decodeHex, encodeHex } from '../codecs/hex.ts'
import { joinBytes } from '../codecs/join-bytes.ts'
import type { Bytes } from '../web-crypto.ts'

// The curve P-256 (FIPS 186-4, D.1.2.3). WebCrypto cannot compute the public point of a given secret number, and some
// browsers refuse a private key without it. This is done once per account and device, and signs nothing itself.
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const BASE: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}
const NUMBER_BYTES = 32

interface Point {
  readonly x: bigint
  readonly y: bigint
}

export interface P256Pair {
  /** 32 bytes. */
  readonly scalar: Bytes
  /** Uncompressed: 4, x, y; 65 bytes. */
  readonly point: Bytes
}

/** The key pair of a seed that is longer than the order by 8 bytes or more, so that every number is equally likely. */
export function pairFromSeed(seed: Bytes): P256Pair {
  const scalar = (toNumber(seed) % (N - 1n)) + 1n
  const { x, y } = multiplyBase(scalar)
  return { scalar: toBytes(scalar), point: joinBytes([Uint8Array.of(4), toBytes(x), toBytes(y)]) }
}

/** Adds in each of the 256 steps and keeps the sum or not, so that the number of operations does not depend on the number. */
function multiplyBase(scalar: bigint): Point {
  let sum: Point | null = null
  let spare: Point | null = null
  let power: Point = BASE
  for (let bit = 0n; bit < 256n; bit += 1n) {
    if (((scalar >> bit) & 1n) === 1n) sum = add(sum, power)
    else spare = add(spare, power)
    power = double(power)
  }
  if (sum === null) throw new Error('the scalar of a P-256 key is zero')
  return sum
}

/** Null is the point at infinity. */
function add(left: Point | null, right: Point): Point | null {
  if (left === null) return right
  if (left.x === right.x) return left.y === right.y ? double(left) : null
  return meet(left, right, modulo((right.y - left.y) * invert(modulo(right.x - left.x))))
}

function double(point: Point): Point {
  return meet(point, point, modulo((3n * point.x * point.x - 3n) * invert(modulo(2n * point.y))))
}

function meet(left: Point, right: Point, slope: bigint): Point {
  const x = modulo(slope * slope - left.x - right.x)
  return { x, y: modulo(slope * (left.x - x) - left.y) }
}

/** The extended algorithm of Euclid. */
function invert(value: bigint): bigint {
  let [low, high, lowFactor, highFactor] = [value, P, 1n, 0n]
  while (low > 1n) {
    const ratio = high / low
    ;[low, high, lowFactor, highFactor] = [high - ratio * low, low, highFactor - ratio * lowFactor, lowFactor]
  }
  return modulo(lowFactor)
}

function modulo(value: bigint): bigint {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

function toNumber(bytes: Bytes): bigint {
  return BigInt(`0x${encodeHex(bytes)}`)
}

function toBytes(value: bigint): Bytes {
  const bytes = decodeHex(value.toString(16).padStart(NUMBER_BYTES * 2, '0'))
  if (bytes === null) throw new Error('a number of P-256 has more than 32 bytes')
  return bytes
}
