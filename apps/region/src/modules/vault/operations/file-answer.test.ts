import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { answerParts, sha256OfTexts } from './file-answer.ts'

const LONG = `${'😀"'.repeat(700_000)}x`
const texts = ['', '{"_enc":1,"k":"a/+="}', 'é€😀\u2028"\\\n', '\u0001'.repeat(20_000), LONG]
const jsonOf = (value: string) => Buffer.from(JSON.stringify({ encrypted: true, value }))

describe('a file that is stored', () => {
  test.each(texts.map((text) => [text.slice(0, 20), text]))('has the bytes of its JSON: %j', async (_start, value) => {
    expect((await buffer(answerParts(true, value))).equals(jsonOf(value))).toBe(true)
  })

  test('has the digest of all its texts', async () => {
    expect(await sha256OfTexts(texts)).toBe(createHash('sha256').update(texts.join('')).digest('hex'))
  })

  test('lets other work run meanwhile', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    await buffer(answerParts(true, 'x'.repeat(8_000_000)))
    await sha256OfTexts(['x'.repeat(8_000_000)])
    clearInterval(counting)
    expect(turns).toBeGreaterThan(3)
  })
})
