import { buildPdf, pageObjects } from './build-pdf.ts'

export interface TemplateWish {
  /** Of each page; an array is a page whose content has several parts. */
  readonly contents: readonly (string | readonly string[])[]
  /** Members of the font `F1`; Helvetica by default. */
  readonly font?: string
  /** Members of the page. */
  readonly page?: string
  /** Members of the resources beside the font `F1`. */
  readonly resources?: string
  /** Members of the streams of the contents, such as a filter. */
  readonly stream?: string
  /** Further objects, from `FIRST_MORE` on. */
  readonly more?: readonly string[]
}

const FONT = '/Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding'
const PAGES = 4
/** The number of the first further object. */
export const FIRST_MORE = 100

/** A template by hand: up to four pages, and objects that its fonts and forms need. */
export function templatePdf(wish: TemplateWish): Uint8Array<ArrayBuffer> {
  const { contents, font = FONT, page = '', resources = '', stream = '', more = [] } = wish
  const pages = contents.length
  if (pages > PAGES) throw new Error('too many pages for the numbers of the objects')
  const streams = contents.flatMap((content) => (typeof content === 'string' ? [content] : content))
  let next = pages + 4
  const listed = contents.map((content) => {
    const count = typeof content === 'string' ? 1 : content.length
    next += count
    return `[${Array.from({ length: count }, (_, at) => `${next - count + at} 0 R`).join(' ')}]`
  })
  const [catalog = '', tree = '', ...dicts] = pageObjects({ pages, page })
  const bodies: (string | null)[] = [
    catalog,
    tree,
    ...dicts.map((dict, at) =>
      dict.replace(
        />>$/,
        ` /Contents ${listed[at] ?? ''} /Resources <</Font <</F1 ${pages + 3} 0 R>> ${resources}>>>>`,
      ),
    ),
    `<</Type /Font ${font}>>`,
    ...streams.map((content) => pdfStream(stream, content)),
  ]
  while (bodies.length < FIRST_MORE - 1) bodies.push(null)
  return buildPdf([...bodies, ...more])
}

/** The body of an object: a stream with these members; one character per byte. */
export function pdfStream(members: string, data: string): string {
  return `<<${members} /Length ${data.length}>>\nstream\n${data}\nendstream`
}

/** Operators that show text at a place. */
export function textAt(x: number, y: number, show: string, size = 12): string {
  return `BT /F1 ${size} Tf ${x} ${y} Td ${show} ET`
}
