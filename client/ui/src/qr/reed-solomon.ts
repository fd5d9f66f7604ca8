import { divide, evaluate, multiply, powerOf } from './field-256.ts'

/** The block without its damage; null when there is more of it than the check bytes can mend. */
export function repairBlock(block: Uint8Array, checkBytes: number): Uint8Array | null {
  const syndromes = syndromesOf(block, checkBytes)
  if (syndromes.every((syndrome) => syndrome === 0)) return block
  const locator = locatorOf(syndromes)
  const errors = locator.length - 1
  if (errors * 2 > checkBytes) return null
  const places = placesOf(locator, block.length)
  if (places.length !== errors) return null
  const repaired = block.slice()
  const magnitudes = magnitudesOf(syndromes, locator, checkBytes)
  for (const power of places) {
    const at = block.length - 1 - power
    repaired[at] = (repaired[at] ?? 0) ^ magnitudes(power)
  }
  return syndromesOf(repaired, checkBytes).every((syndrome) => syndrome === 0) ? repaired : null
}

function syndromesOf(block: Uint8Array, checkBytes: number): readonly number[] {
  const lowestFirst = block.toReversed()
  return Array.from({ length: checkBytes }, (_, power) => evaluate(lowestFirst, powerOf(power)))
}

/** The polynomial whose zeros are the places of the errors: the algorithm of Berlekamp and Massey. */
function locatorOf(syndromes: readonly number[]): readonly number[] {
  let [current, previous]: [number[], number[]] = [[1], [1]]
  let [errors, gap, before] = [0, 1, 1]
  for (const at of syndromes.keys()) {
    let discrepancy = 0
    for (let back = 0; back <= errors; back += 1) discrepancy ^= multiply(current[back] ?? 0, syndromes[at - back] ?? 0)
    if (discrepancy === 0) {
      gap += 1
      continue
    }
    const kept = current
    current = addShifted(current, previous, divide(discrepancy, before), gap)
    if (2 * errors > at) gap += 1
    else [errors, previous, before, gap] = [at + 1 - errors, kept, discrepancy, 1]
  }
  return current.slice(0, errors + 1)
}

function addShifted(to: readonly number[], other: readonly number[], factor: number, by: number): number[] {
  const sum = Array.from({ length: Math.max(to.length, other.length + by) }, (_, power) => to[power] ?? 0)
  for (const [power, element] of other.entries()) sum[power + by] = (sum[power + by] ?? 0) ^ multiply(element, factor)
  return sum
}

/** As powers of the polynomial that the block is. */
function placesOf(locator: readonly number[], length: number): readonly number[] {
  return Array.from({ length }, (_, power) => power).filter((power) => evaluate(locator, inverse(power)) === 0)
}

function inverse(power: number): number {
  return powerOf((255 - (power % 255)) % 255)
}

/** What is wrong at a place: the algorithm of Forney. */
function magnitudesOf(syndromes: readonly number[], locator: readonly number[], checkBytes: number) {
  const evaluator = Array.from({ length: checkBytes }, (_, power) => {
    let sum = 0
    for (let lower = 0; lower <= power; lower += 1) sum ^= multiply(syndromes[lower] ?? 0, locator[power - lower] ?? 0)
    return sum
  })
  const derivative = locator.slice(1).map((element, power) => (power % 2 === 0 ? element : 0))
  return (power: number): number => {
    const at = inverse(power)
    return multiply(powerOf(power % 255), divide(evaluate(evaluator, at), evaluate(derivative, at)))
  }
}
