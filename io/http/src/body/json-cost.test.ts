import { describe, expect, test } from 'vitest'
import { readJson } from './json.ts'

const NONE = Buffer.alloc(0)
const list = <T>(length: number, element: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => element(index))

/** Bodies of a size `n`, each made of one kind of content. */
const shapes: Readonly<Record<string, (n: number) => string>> = {
  'one long text': (n) => `["${'x'.repeat(100 * n)}"]`,
  'a text of escapes': (n) => `["${String.raw`\u005f\"`.repeat(15 * n)}"]`,
  'a text of other letters': (n) => `["${'é'.repeat(50 * n)}"]`,
  'a text that names __proto__': (n) => `["${'__proto__'.repeat(20 * n)}"]`,
  blanks: (n) => `${' \n'.repeat(50 * n)}1`,
  digits: (n) => `[${'9'.repeat(100 * n)}]`,
  numbers: (n) => `[${list(n, (index) => `${index}.5e-7`).join()}]`,
  'names of members': (n) => `{${list(n, (index) => `"member${index}":1`).join()}}`,
  'names that are numbers': (n) => `{${list(n, (index) => `"${index * 1024}":1`).join()}}`,
  'the same name': (n) => `{${list(n, () => '"a":1').join()}}`,
  'the name __proto__': (n) => `{${list(n, () => '"__proto__":1').join()}}`,
  'objects with __proto__': (n) => `[${list(n / 2, () => '{"__proto__":1}').join()}]`,
  'deep lists': (n) => `[${list(n / 90, () => '['.repeat(90) + ']'.repeat(90)).join()}]`,
  'deep objects': (n) => `[${list(n / 90, () => '{"a":'.repeat(90) + '1' + '}'.repeat(90)).join()}]`,
}

describe('the time to read a body', () => {
  test.each(Object.entries(shapes))('grows with its size: %s', (_name, make) => {
    const [small, large] = [Buffer.from(make(1000)), Buffer.from(make(8000))]
    expect(readJson(large)).toMatchObject({ ok: true })
    const eightSmall = () => list(8, () => readJson(small))
    // Quadratic work would take 8 times as long.
    expect(timesAsLong(() => readJson(large), eightSmall)).toBeLessThan(4)
  })

  test.each(['__proto__', String.raw`\u005f`])('does not depend on the text %s in it', (text) => {
    const body = (note: string) => Buffer.from(`{"note":"${note}","a":[${list(8000, () => '0').join()}]}`)
    const [named, plain] = [body(text), body('x'.repeat(text.length))]
    expect(
      timesAsLong(
        () => readJson(named),
        () => readJson(plain),
      ),
    ).toBeLessThan(4)
  })
})

describe('a body with more than 50,000 values', () => {
  test.each([
    `[${'0,'.repeat(50_000)}0]`,
    `[${'{},'.repeat(30_000)}0]`,
    `{${list(50_000, (index) => `"k${index}":1`).join()}}`,
  ])('is refused', (text) => {
    expect(readJson(Buffer.from(text))).toEqual({
      ok: false,
      refusal: { path: '', message: 'holds more than 50000 values' },
    })
  })

  test('is refused before it is parsed', () => {
    const [refused, parsed] = [`[${'{},'.repeat(300_000)}0]`, `[${'{},'.repeat(20_000)}0]`].map((text) =>
      Buffer.from(text),
    )
    expect(
      timesAsLong(
        () => readJson(refused ?? NONE),
        () => readJson(parsed ?? NONE),
      ),
    ).toBeLessThan(4)
  })

  test('is counted without the text inside of its strings', () => {
    expect(readJson(Buffer.from(`["${'[,{'.repeat(100_000)}","${String.raw`\",`.repeat(100_000)}"]`))).toMatchObject({
      ok: true,
    })
  })
})

/**
 * How many times as long one takes as the other. Both run in turns and the lowest ratio counts: other processes take the
 * CPU for a while, never in one of the two alone.
 */
function timesAsLong(one: () => unknown, other: () => unknown): number {
  const ratios = list(7, () => msOf(one) / msOf(other))
  return Math.min(...ratios)
}

function msOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
