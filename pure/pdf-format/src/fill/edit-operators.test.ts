import { describe, expect, test } from 'vitest'
import { editContent } from '../index.ts'
import { latin1 } from '../reader/characters.ts'
import {
  editTemplatePage,
  fillTemplatePage,
  FIRST_MORE,
  formEdits,
  pdfStream,
  readTemplatePage,
  seenAt as at,
  shownAt as line,
  textAt,
} from '../testing/index.ts'

describe('operators that show text', () => {
  const other = line(72, 600, 'Another line')

  test('the next line, with and without spacing', () => {
    const quote = textAt(72, 714, "14 TL (First) Tj (To {{name}} now) ' (Last) '", 10)
    expect(fillTemplatePage(`${quote} ${other}`, { name: 'Bo' }).lines.slice(0, 3)).toEqual([
      at('First', 72, 714),
      at('To Bo now', 72, 700),
      at('Last', 72, 686),
    ])
    const spaced = textAt(72, 714, '14 TL (First) Tj 3 1 (To {{name}} now) " (A b) Tj', 10)
    const { content, lines } = fillTemplatePage(`${spaced} ${other}`, { name: 'Bo' })
    expect(content).toContain('3 Tw 1 Tc T* ')
    expect(lines[1]).toMatchObject({ x: 72, y: 700 })
  })

  test('what follows an operator in the same text object begins where it did, moved by the value', () => {
    const filled = fillTemplatePage(`${textAt(72, 700, '({{name}}) Tj (, and) Tj', 10)} ${other}`, { name: 'Bo' })
    expect(filled.lines[0]).toEqual(at('Bo, and', 72, 700))
  })

  test('spacing of characters and words counts', () => {
    const spaced = textAt(72, 700, '2 Tc 4 Tw (A {{name}} b) Tj', 10)
    const { lines } = fillTemplatePage(`${spaced} ${other}`, { name: 'xy' })
    // The value has the width of two characters, while its drawing takes the spacing of the text, too.
    expect(lines[0]).toMatchObject({ x: 72, text: 'A xy b' })
  })

  test('text that is turned, scaled or mirrored', () => {
    const turned = 'BT /F1 10 Tf 0 1 -1 0 300 100 Tm (To {{name}} now) Tj ET'
    expect(fillTemplatePage(`${turned} ${other}`, { name: 'Bo' }).lines).toContainEqual({
      text: 'To Bo now',
      x: 300,
      y: 100,
      endX: 300,
      endY: 145,
    })
    const scaled = 'BT /F1 5 Tf 2 0 0 2 72 700 Tm (To {{name}} now) Tj ET'
    expect(fillTemplatePage(`${scaled} ${other}`, { name: 'Bo' }).lines[0]).toEqual(at('To Bo now', 72, 700))
    const narrow = textAt(72, 700, '50 Tz (To {{name}} now) Tj', 10)
    expect(fillTemplatePage(`${narrow} ${other}`, { name: 'Bo' }).lines[0]).toMatchObject({ x: 72, endX: 94.5 })
  })
})

describe('text that is drawn twice to look bold', () => {
  const other = line(72, 600, 'Another line')

  test('the value is drawn once, and the text around it moves with its shadow', () => {
    const bold = `${line(72, 700, 'To {{name}} now')} ${line(72.3, 700, 'To {{name}} now')}`
    const { content, lines } = fillTemplatePage(`${bold} ${other}`, { name: 'Bo' })
    expect(content.match(/\(Bo\)/g)).toHaveLength(1)
    expect(content).not.toContain('name')
    expect(lines.filter(({ y }) => y === 700)).toEqual([at('To Bo now', 72, 700)])
  })

  test('the same text elsewhere is another text', () => {
    const apart = `${line(72, 700, '{{name}}')} ${line(72, 697, '{{name}}')}`
    const { content } = fillTemplatePage(`${apart} ${other}`, { name: 'Bo' })
    expect(content.match(/\(Bo\)/g)).toHaveLength(2)
  })
})

describe('marked content that states its text', () => {
  const fill = (mark: string) => fillTemplatePage(`${mark} ${line(72, 700, '{{name}}')} EMC`, { name: 'Bo' }).content

  test('loses that text, and keeps its role and its place in the structure', () => {
    expect(fill('/P <</ActualText (x) /MCID 3>> BDC')).toContain(' /P<</MCID 3>>BDC ')
    expect(fill('/Span <</ActualText (x)>> BDC')).toContain(' /Span BMC ')
    expect(fill('/A#20B <</ActualText (x)>> BDC')).toContain(' /Span BMC ')
    expect(fill('/P <</MCID 3>> BDC')).toContain('/P <</MCID 3>> BDC')
  })

  test('keeps it where text only moves', () => {
    const { content } = fillTemplatePage(
      `${line(72, 700, '{{name}}')} /P <</ActualText (x)>> BDC ${textAt(112, 700, '(, and) Tj', 10)} EMC`,
      { name: 'Bo' },
    )
    expect(content).toContain('/P <</ActualText (x)>> BDC')
  })
})

describe('forms', () => {
  const form = pdfStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 400 99] /Resources <</Font <</F1 4 0 R>>>>',
    line(5, 5, 'To {{name}} now'),
  )
  const template = (content: string) =>
    readTemplatePage({ contents: [content], resources: `/XObject <</X ${FIRST_MORE} 0 R>>`, more: [form] })

  test('are changed once for all places where they are drawn', () => {
    const parts = template('q 1 0 0 1 50 600 cm /X Do Q q 1 0 0 1 50 500 cm /X Do Q')
    expect(parts.page.tags).toHaveLength(2)
    const edited = editTemplatePage(parts, { name: 'Bo' })
    const sources = formEdits(edited)
    expect(sources).toHaveLength(1)
    expect(edited.edits.size).toBe(1)
    const content = parts.reader.needs.streams.read(sources[0]?.type === 'form' ? sources[0].form : raise())
    expect(latin1(editContent(content ?? raise(), edited.edits.get(sources[0] ?? raise()) ?? []))).toContain('(Bo)')
  })

  test('are not changed again on a later page', () => {
    const owners = new Map()
    const parts = template('/X Do')
    expect(formEdits(editTemplatePage(parts, { name: 'Bo' }, owners))).toHaveLength(1)
    const again = { ...parts, page: parts.reader.read(0) }
    expect(editTemplatePage(again, { name: 'Bo' }, owners).edits.size).toBe(0)
  })

  test('text of the page does not move with text of a form', () => {
    const { lines } = fillTemplatePage(
      {
        contents: [`${line(72, 605, '{{name}}')} q 1 0 0 1 107 600 cm /X Do Q ${line(72, 500, 'Another line')}`],
        resources: `/XObject <</X ${FIRST_MORE} 0 R>>`,
        more: [
          pdfStream(
            '/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources <</Font <</F1 4 0 R>>>>',
            line(5, 5, 'Fixed'),
          ),
        ],
      },
      { name: 'Bo' },
    )
    expect(lines.slice(0, 2)).toEqual([at('Bo', 72, 605), at('Fixed', 112, 605)])
  })
})

function raise(): never {
  throw new Error('missing')
}
