/** Bytes as the elements of the finite field in which check bytes are computed. */
const POWERS = new Uint8Array(512)
const LOGARITHMS = new Uint8Array(256)
for (let power = 0, element = 1; power < 255; power += 1) {
  POWERS[power] = element
  POWERS[power + 255] = element
  LOGARITHMS[element] = power
  element = element < 128 ? element << 1 : (element << 1) ^ 0x1_1d
}

/** The generator of the field to a power from 0 to 509. */
export function powerOf(power: number): number {
  return POWERS[power] ?? 0
}

export function logarithmOf(element: number): number {
  return LOGARITHMS[element] ?? 0
}

export function multiply(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : powerOf(logarithmOf(one) + logarithmOf(other))
}

export function divide(one: number, by: number): number {
  return one === 0 ? 0 : powerOf(logarithmOf(one) + 255 - logarithmOf(by))
}

/** A polynomial, the lowest power first, at a place. */
export function evaluate(polynomial: ArrayLike<number>, at: number): number {
  let sum = 0
  for (let power = polynomial.length - 1; power >= 0; power -= 1) sum = multiply(sum, at) ^ (polynomial[power] ?? 0)
  return sum
}
