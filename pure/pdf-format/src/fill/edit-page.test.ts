import { describe, expect, test } from 'vitest'
import { fillTemplatePage, FIRST_MORE, pdfStream, seenAt as at, shownAt as line, textAt } from '../testing/index.ts'

describe('a line that keeps its start', () => {
  const other = line(72, 600, 'Another line')

  test('what follows a tag moves by what the value is longer or shorter', () => {
    const filled = fillTemplatePage(`${line(72, 700, 'Dear {{name}}, welcome')} ${other}`, { name: 'Bo' })
    expect(filled.lines).toEqual([at('Dear Bo, welcome', 72, 700), at('Another line', 72, 600)])
    const longer = fillTemplatePage(`${line(72, 700, 'Dear {{name}}, welcome')} ${other}`, { name: 'Bartholomew' })
    expect(longer.lines[0]).toEqual(at('Dear Bartholomew, welcome', 72, 700))
    expect([longer.overflowing, longer.scales]).toEqual([[], {}])
  })

  test('several tags of a line', () => {
    const filled = fillTemplatePage(`${line(72, 700, '{{a}} and {{b}}, {{c}}!')} ${other}`, { a: 'One', c: 'Three' })
    expect(filled.lines[0]).toEqual(at('One and , Three!', 72, 700))
  })

  test('text of other lines and other operators stays byte for byte', () => {
    const content = `0.5 w  ${other}\n${line(72, 700, '{{name}}')} % note\n`
    const filled = fillTemplatePage(content, { name: 'Bo' })
    expect(filled.content.startsWith(`0.5 w  ${other}\n`)).toBe(true)
    expect(filled.content.endsWith(' ET % note\n')).toBe(true)
    expect(filled.content).not.toContain('name')
  })

  test('parts of a tag in several operators', () => {
    const cut = textAt(72, 700, '(Dear {{na) Tj (me}}, wel) Tj (come) Tj', 10)
    expect(fillTemplatePage(`${cut} ${other}`, { name: 'Bo' }).lines[0]).toEqual(at('Dear Bo, welcome', 72, 700))
    const kerned = textAt(72, 700, '[(Dear {{na) 40 (me}}, wel) -60 (come)] TJ', 10)
    expect(fillTemplatePage(`${kerned} ${other}`, { name: 'Bo' }).lines[0]).toMatchObject({ x: 72, endX: 152.6 })
  })
})

describe('room', () => {
  const other = line(72, 600, 'Another line')

  test('a value is shrunk where the text of the page ends, and not more than to 0.6', () => {
    // Margins are alike: from 72 to 523, that is 90 characters.
    const fill = (count: number) => fillTemplatePage(`${line(72, 700, '{{a}}')} ${other}`, { a: 'x'.repeat(count) })
    expect(fill(90)).toMatchObject({ scales: {}, overflowing: [] })
    expect(fill(100)).toMatchObject({ scales: { a: 0.9 }, overflowing: [] })
    expect(fill(100).lines[0]).toMatchObject({ x: 72, endX: 523 })
    expect(fill(150)).toMatchObject({ scales: { a: 0.6 }, overflowing: [] })
    expect(fill(152)).toMatchObject({ scales: { a: 0.6 }, overflowing: ['a'] })
    expect(fill(152).lines[0]).toMatchObject({ x: 72, endX: 528 })
  })

  test('of several values all are shrunk alike, and an empty one does not overflow', () => {
    const filled = fillTemplatePage(`${line(72, 700, '{{a}}: {{b}}{{c}}')} ${other}`, {
      a: 'x'.repeat(100),
      b: 'y'.repeat(100),
    })
    expect(filled).toMatchObject({ scales: { a: 0.6, b: 0.6, c: 0.6 }, overflowing: ['a', 'b'] })
  })

  test('ends a quarter of the font size before the next text of the line', () => {
    const filled = fillTemplatePage(`${line(72, 700, '{{a}}')} ${line(172, 700, 'Next')} ${other}`, {
      a: 'x'.repeat(25),
    })
    // From 72 to 169.5.
    expect(filled).toMatchObject({ scales: { a: 0.78 }, overflowing: [] })
    expect(filled.lines[0]).toMatchObject({ text: `${'x'.repeat(25)}Next`, x: 72, endX: 192 })
  })

  test('text half a line above is beside it, text of the line above is not', () => {
    const near = fillTemplatePage(`${line(72, 700, '{{a}}')} ${line(172, 706, 'Next')} ${other}`, { a: 'x'.repeat(25) })
    expect(near.scales).toEqual({ a: 0.78 })
    const above = fillTemplatePage(`${line(72, 700, '{{a}}')} ${line(172, 708, 'Next')} ${other}`, {
      a: 'x'.repeat(25),
    })
    expect(above.scales).toEqual({})
  })

  test('text in another direction is not in the way', () => {
    const turned = 'BT /F1 10 Tf 0 1 -1 0 172 690 Tm (Turned text) Tj ET'
    const filled = fillTemplatePage(`${line(72, 700, '{{a}}')} ${turned} ${other}`, { a: 'x'.repeat(25) })
    expect(filled.scales).toEqual({})
  })

  test('ends at a border', () => {
    const border = '172 690 m 172 720 l S'
    const filled = fillTemplatePage(`${border} ${line(72, 700, '{{a}}')} ${other}`, { a: 'x'.repeat(25) })
    // From 72 to 171.
    expect(filled.scales).toEqual({ a: 0.79 })
    expect(filled.lines[0]).toMatchObject({ x: 72, endX: 171 })
  })

  test.each([
    ['below the line', '172 600 m 172 702 l S'],
    ['above the line', '172 704 m 172 800 l S'],
    ['along the line', '72 703 m 300 703 l S'],
    ['before the line', '60 690 m 60 720 l S'],
    ['a block of colour', '172 690 40 30 re f'],
  ])('no border is %s', (_, path) => {
    const filled = fillTemplatePage(`${path} ${line(72, 700, '{{a}}')} ${other}`, { a: 'x'.repeat(25) })
    expect(filled.scales).toEqual({})
  })

  test('a line longer than any other defines the margin, and one outside of the margins its own', () => {
    const long = line(72, 500, 'x'.repeat(95))
    const filled = fillTemplatePage(`${line(72, 700, '{{a}}')} ${long}`, { a: 'x'.repeat(95) })
    expect(filled.scales).toEqual({})
    const cropped = fillTemplatePage(
      { contents: [`${line(72, 700, '{{a}}')} ${line(72, 650, 'Text')}`], page: '/CropBox [50 600 300 800]' },
      { a: 'x'.repeat(50) },
    )
    // From 72 to 278, since the page is cut at 300 and begins at 50.
    expect(cropped.scales).toEqual({ a: 0.82 })
  })
})

describe('alignment', () => {
  const left = line(72, 600, 'Another line from margin to margin '.repeat(3).slice(0, 90))

  test('a line at the right margin keeps its end', () => {
    // `{{total}}` takes 45 points, up to 523; the longest line ends there, too.
    const body = line(72, 600, 'x'.repeat(90))
    const filled = fillTemplatePage(`${line(477, 700, '{{total}}')} ${body}`, { total: '12.50' })
    expect(filled.lines[0]).toEqual(at('12.50', 497, 700))
    const grown = fillTemplatePage(`${line(477, 700, '{{total}}')} ${body}`, { total: '12,345,678.50' })
    expect(grown.lines[0]).toEqual(at('12,345,678.50', 457, 700))
    const longest = fillTemplatePage(`${line(477, 700, '{{total}}')} ${body}`, { total: 'x'.repeat(100) })
    expect(longest.scales).toEqual({ total: 0.9 })
    expect(longest.lines[0]).toMatchObject({ x: 72, endX: 522 })
  })

  test('a line in the middle of the page grows to both sides', () => {
    // 297.5 is the middle.
    const filled = fillTemplatePage(`${line(272.5, 700, '{{title}}!')} ${left}`, { title: 'Contract' })
    expect(filled.lines[0]).toEqual(at('Contract!', 275, 700))
    const long = fillTemplatePage(`${line(272.5, 700, '{{title}}!')} ${left}`, { title: 'x'.repeat(100) })
    expect(long.scales).toEqual({ title: 0.89 })
    expect(long.lines[0]?.x).toBeCloseTo(72, 0)
  })

  test('a line almost in the middle keeps its start', () => {
    const filled = fillTemplatePage(`${line(275, 700, '{{title}}!')} ${left}`, { title: 'Contract' })
    expect(filled.lines[0]).toEqual(at('Contract!', 275, 700))
    expect(fillTemplatePage(`${line(275, 700, '{{title}}!')} ${left}`, { title: 'A' }).lines[0]?.x).toBe(275)
  })

  test('a line that begins where another one does keeps its start, also in the middle', () => {
    const same = line(272.5, 650, 'A longer line below it')
    const filled = fillTemplatePage(`${line(272.5, 700, '{{title}}!')} ${same} ${left}`, { title: 'A' })
    expect(filled.lines[0]).toEqual(at('A!', 272.5, 700))
  })

  describe('in a cell', () => {
    const cell = '100 690 m 100 720 l S 300 690 m 300 720 l S'
    const fill = (x: number, value: string) =>
      fillTemplatePage(`${cell} ${line(x, 700, '{{price}}')} ${left}`, { price: value }).lines[0]

    test('text near its left border keeps its start', () => {
      expect(fill(111, 'A')).toEqual(at('A', 111, 700))
      expect(fill(105, 'A')).toEqual(at('A', 105, 700))
    })

    test('text near its right border keeps its end', () => {
      expect(fill(245, 'A')).toEqual(at('A', 285, 700))
      expect(fill(250, 'A')).toEqual(at('A', 290, 700))
    })

    test('text in its middle grows to both sides, text elsewhere keeps its start', () => {
      expect(fill(177.5, 'A')).toEqual(at('A', 197.5, 700))
      expect(fill(178.9, 'A')).toEqual(at('A', 198.9, 700))
      expect(fill(181, 'A')).toEqual(at('A', 181, 700))
      expect(fill(160, 'A')).toEqual(at('A', 160, 700))
    })

    test('a value has the room of its cell', () => {
      const { scales, lines } = fillTemplatePage(`${cell} ${line(105, 700, '{{price}}')} ${left}`, {
        price: 'x'.repeat(40),
      })
      // From 105 to 299.
      expect([scales, lines[0]?.endX]).toEqual([{ price: 0.97 }, 299])
      const right = fillTemplatePage(`${cell} ${line(250, 700, '{{price}}')} ${left}`, { price: 'x'.repeat(40) })
      // From 101 to 295.
      expect([right.scales, right.lines[0]?.x]).toEqual([{ price: 0.97 }, 101])
    })
  })

  test('cells that are close to each other do not move together', () => {
    const border = '137 690 m 137 720 l S 60 690 m 60 720 l S'
    const close = textAt(67, 700, '(Name: {{name}}) Tj 72 0 Td ({{city}} now) Tj', 10)
    const filled = fillTemplatePage(`${border} ${close} ${left}`, { name: 'Bo', city: 'Ur' })
    expect(filled.lines.slice(0, 2)).toEqual([at('Name: Bo', 67, 700), at('Ur now', 139, 700)])
  })

  test('a border through a tag does not cut it', () => {
    const border = '100 690 m 100 720 l S'
    const filled = fillTemplatePage(`${border} ${line(72, 700, 'To {{name}} now')} ${left}`, { name: 'Bo' })
    expect(filled.lines[0]).toEqual(at('To Bo now', 72, 700))
  })

  test('words of a line that is stretched to both margins move together', () => {
    const stretched = '[(Dear {{name}} ) -800 (and) -400 ( all)] TJ'
    const filled = fillTemplatePage(`${textAt(72, 700, stretched, 10)} ${left}`, { name: 'Bo' })
    // The gap of 8 points stays.
    expect(filled.lines[0]).toMatchObject({ text: 'Dear Bo ', x: 72, endX: 112 })
    expect(filled.lines[1]).toMatchObject({ x: 120 })
  })
})

describe('text from right to left', () => {
  // `A` to `Z` show Hebrew letters from alef on.
  const map =
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfrange <20> <40> <0020> <41> <5a> <05d0> endbfrange 1 beginbfrange <5b> <7e> <005b> endbfrange endcmap'
  const hebrew = (contents: string) => ({
    contents: [contents],
    font: `/Subtype /Type1 /BaseFont /Made /FirstChar 0 /LastChar 255 /Widths [${'500 '.repeat(256)}] /ToUnicode ${FIRST_MORE} 0 R`,
    more: [pdfStream('', map)],
  })

  test('keeps its end', () => {
    const filled = fillTemplatePage(hebrew(`${line(400, 700, '{{name}} ABC')} ${line(72, 600, 'x'.repeat(60))}`), {
      name: 'bo',
    })
    expect(filled.lines[0]).toMatchObject({ text: 'bo אבג', x: 430, endX: 460 })
  })

  test('keeps its start at the left margin if it does not reach the right one', () => {
    const filled = fillTemplatePage(hebrew(`${line(72, 700, '{{name}} ABC')} ${line(90, 600, 'x'.repeat(60))}`), {
      name: 'bo',
    })
    expect(filled.lines[0]).toMatchObject({ x: 72, endX: 102 })
  })

  test('keeps its end near the right border of a cell, its start near the left one', () => {
    const cell = '100 690 m 100 720 l S 300 690 m 300 720 l S'
    const fill = (x: number) =>
      fillTemplatePage(hebrew(`${cell} ${line(x, 700, '{{name}} ABC')} ${line(72, 600, 'x'.repeat(60))}`), {
        name: 'bo',
      }).lines[0]
    expect(fill(235)).toMatchObject({ x: 265, endX: 295 })
    expect(fill(105)).toMatchObject({ x: 105, endX: 135 })
    expect(fill(170)).toMatchObject({ x: 185 })
    expect(fill(190)).toMatchObject({ endX: 250 })
  })
})
