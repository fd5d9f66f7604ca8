import { buildPdf, pageObjects } from '@sealpost/pdf-format/testing'

const LINES = 45
const LINE = 'The parties agree that deliveries are made on working days, and that each of them is paid within a month.'
export const PAGES = 10
export const TAGS = 40

/** Pages full of text, with the same number of tags on each; every tag is in the middle of a line. */
export function templateOf(): Uint8Array<ArrayBuffer> {
  const font = 3 + PAGES
  const [catalog = '', tree = '', ...shared] = pageObjects({
    pages: PAGES,
    page: `/Resources <</Font <</F1 ${font} 0 R>>>>`,
  })
  const withContent = shared.map((page, index) => page.replace(/>>$/, `/Contents ${font + 1 + index} 0 R>>`))
  const contents = shared.map((_, index) => streamOf(pageText(index)))
  const typeface = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>'
  return buildPdf([catalog, tree, ...withContent, typeface, ...contents])
}

function pageText(page: number): string {
  const perPage = TAGS / PAGES
  const lines = Array.from({ length: LINES }, (_, line) => {
    const tag = line % 10 === 5 && line / 10 < perPage ? `{{key_${page * perPage + Math.floor(line / 10)}}} ` : ''
    return `(${page + 1}.${line + 1} ${tag}${tag === '' ? LINE : LINE.slice(0, 60)}) Tj T*`
  })
  return `BT /F1 9 Tf 60 780 Td 16 TL ${lines.join('\n')} ET`
}

function streamOf(content: string): string {
  return `<</Length ${content.length}>>\nstream\n${content}\nendstream`
}

const NAMES = ['Anna Smith', 'Łukasz Żółć', '2026-05-01', 'Анна Щербакова', '1,234.50 EUR']

export function valuesOf(): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: TAGS }, (_, at) => [`key_${at}`, NAMES[at % NAMES.length] ?? '']))
}
