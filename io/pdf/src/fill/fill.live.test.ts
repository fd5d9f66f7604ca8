import { join } from 'node:path'
import { scanTemplate, type TemplateTag } from '@sealpost/pdf-format'
import { describe, expect, test } from 'vitest'
import { FontBook } from '../fonts/font-book.ts'
import { fillHere, valuesFor } from '../testing/fill.ts'
import { differenceOf, pictureOf, storedPicture } from '../testing/pictures.ts'
import { templateFiles } from '../testing/templates/template-files.ts'
import { openFolder, runTool } from '../testing/tools.ts'
import { type Word, wordsOf } from '../testing/words.ts'

const book = await FontBook.open()

const PICTURES = join(import.meta.dirname, '../testing/templates/pictures')
/** Points. */
const NEAR = 2

interface Filled {
  readonly before: string
  readonly after: string
  readonly tags: readonly TemplateTag[]
  readonly values: Readonly<Record<string, string>>
}

const folder = openFolder()

async function fillFile(name: string, bytes: Uint8Array): Promise<Filled> {
  const scan = scanTemplate(bytes)
  if (!scan.ok) throw new Error(scan.refusal)
  const values = valuesFor(scan.value.keys)
  const outcome = await fillHere(bytes, values, { book })
  if (!outcome.ok) throw new Error(outcome.refusal)
  return {
    before: folder.write(`before-${name}.pdf`, bytes),
    after: folder.write(`after-${name}.pdf`, outcome.value.result),
    tags: scan.value.tags,
    values,
  }
}

describe.each(templateFiles())('$name', ({ name, bytes, unreadable }) => {
  test('others find the file valid, and no tag in its text', async () => {
    const { after } = await fillFile(name, bytes)
    expect(await runTool('qpdf', '--check', after)).toMatchObject({
      code: 0,
      output: expect.stringContaining('No syntax or stream encoding errors'),
    })
    const { output } = await runTool('pdftotext', after, '-')
    // What is left has another syntax, is spread over two lines, or is in a font that others guess at.
    if (unreadable.length === 0) expect(output).not.toMatch(/\{\{ *[a-z][a-z0-9_.]* *\}\}/i)
    expect((await runTool('pdfinfo', after)).output).not.toContain('{{')
  })

  test('values are where their tags were, and words beside other lines did not move', async () => {
    const { before, after, tags, values } = await fillFile(name, bytes)
    const [old, now] = [await wordsOf(before), await wordsOf(after)]
    const upright = tags.filter(isUpright)
    expect(upright.filter((tag) => !valueIn(tag, values[tag.key] ?? '', now))).toEqual([])
    const others = old.filter((word) => !tags.some((tag) => isBeside(tag, word) || isTurnedWith(tag, word)))
    expect(others.filter((word) => !now.some((other) => isSame(word, other)))).toEqual([])
  })

  test('the first page looks as it was seen to be right', async () => {
    const { after } = await fillFile(name, bytes)
    const now = await pictureOf(after)
    const { mean, changed } = differenceOf(now, storedPicture(PICTURES, name, now))
    expect(mean).toBeLessThan(0.01)
    expect(changed).toBeLessThan(0.002)
  })
})

/** Whether a word of the value is on the line of its tag, near the place of the tag. */
function valueIn(tag: TemplateTag, value: string, words: readonly Word[]): boolean {
  const parts = value.split(/[\s־-]+/).filter((part) => part !== '')
  const line = words.filter((word) => isBeside(tag, word))
  return parts.some((part) => line.some(({ text }) => text.includes(part) || text.includes(reversed(part))))
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('')
}

function isBeside({ page, top, height }: TemplateTag, word: Word): boolean {
  const middle = (word.top + word.bottom) / 2
  return page === word.page && middle > top - NEAR && middle < top + height + NEAR
}

function isSame(one: Word, other: Word): boolean {
  return (
    one.page === other.page &&
    one.text === other.text &&
    Math.hypot(one.left - other.left, one.top - other.top, one.right - other.right) < 0.1
  )
}

describe('the place of a value', () => {
  /** Each tag is the first text of its line. */
  test.each(['chromium-contract', 'chromium-scripts', 'cairo-scripts', 'libreoffice', 'latex'])(
    '%s: the first value of a line begins, ends or is centered where its tag was',
    async (name) => {
      const file = templateFiles().find((one) => one.name === name)
      const { after, tags } = await fillFile(name, file?.bytes ?? new Uint8Array())
      const words = await wordsOf(after)
      const alone = tags.filter((tag) => isUpright(tag) && !tags.some((other) => other !== tag && isOnLine(tag, other)))
      expect(alone.length).toBeGreaterThan(0)
      expect(alone.filter((tag) => !isInPlace(tag, words))).toEqual([])
    },
  )
})

/** The middle of the pages of the corpus. */
const MIDDLE = [297.6, 306]

function isInPlace(tag: TemplateTag, words: readonly Word[]): boolean {
  const near = words.filter((word) => isBeside(tag, word))
  const [first, last] = [Math.min(...near.map(({ left }) => left)), Math.max(...near.map(({ right }) => right))]
  const isCentered = MIDDLE.some((middle) => Math.abs((first + last) / 2 - middle) < NEAR)
  const isAtEdge = near.some(
    ({ left, right }) => Math.abs(left - tag.left) < NEAR || Math.abs(right - tag.left - tag.width) < NEAR,
  )
  return isCentered || isAtEdge
}

/** Poppler cuts turned words into letters. */
function isUpright({ source, height, fontSize }: TemplateTag): boolean {
  return source === 'text' && height < 1.2 * fontSize
}

/** Points: the words before a turned tag are closer to it. */
const LENGTH = 60

/** On the line of a turned tag, whose letters Poppler groups anew. */
function isTurnedWith(tag: TemplateTag, word: Word): boolean {
  if (isUpright(tag) || tag.page !== word.page) return false
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2]
  const isNear = (at: number, from: number, length: number): boolean =>
    at > from - LENGTH && at < from + length + LENGTH
  return isNear(x, tag.left, tag.width) && isNear(y, tag.top, tag.height)
}

function isOnLine(one: TemplateTag, other: TemplateTag): boolean {
  return one.page === other.page && Math.abs(one.top - other.top) < one.height
}
