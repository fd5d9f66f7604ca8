import { bytesOf, latin1 } from '../reader/characters.ts'

export interface BuildOptions {
  /** Members of the trailer beside Size and Root. */
  readonly trailer?: string
  /** The number of the catalog; 1 by default. */
  readonly root?: number
  /** Put before `startxref`; replaces the table. */
  readonly table?: (offsets: readonly number[]) => string
}

/** A file with the given bodies as objects 1, 2, 3 …, one character per byte; null leaves a number free. */
export function buildPdf(bodies: readonly (string | null)[], options: BuildOptions = {}): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.7\n%\u{e2}\u{e3}\u{cf}\u{d3}\n'
  const offsets = bodies.map((body, index) => {
    const offset = text.length
    if (body !== null) text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return body === null ? -1 : offset
  })
  const start = text.length
  const { root = 1, trailer = '', table } = options
  text += table?.(offsets) ?? tableOf(offsets)
  if (table === undefined) text += `trailer\n<</Size ${bodies.length + 1} /Root ${root} 0 R ${trailer}>>\n`
  return bytesOf(`${text}startxref\n${start}\n%%EOF\n`)
}

export interface HybridOptions {
  /** The table of the newest section; it leaves the number free by default. Office suites have none there. */
  readonly isUpdate?: boolean
}

/** A hybrid file: an object is listed by the stream beside the table only, which stands as object 9. */
export function hybridPdf(
  bodies: readonly string[],
  number: number,
  { isUpdate = false }: HybridOptions = {},
): Uint8Array<ArrayBuffer> {
  const text = latin1(buildPdf(bodies))
  const [objects = '', table = ''] = text.split(/(?=xref\n0)/)
  const offset = objects.indexOf(`\n${number} 0 obj`) + 1
  const row = String.fromCharCode(1, offset >> 8, offset & 255, 0)
  const members = `/Type /XRef /W [1 2 1] /Index [${number} 1] /Size ${bodies.length + 1} /Root 1 0 R`
  const head = `${objects}9 0 obj\n<<${members} /Length 4>>\nstream\n${row}\nendstream\nendobj\n`
  const free = table.replace(`${String(offset).padStart(10, '0')} 00000 n`, '0000000000 65535 f')
  const toStream = `/XRefStm ${objects.length}>>`
  const first = free.replace(/startxref\n\d+/, `startxref\n${head.length}`)
  if (!isUpdate) return bytesOf(head + first.replace('>>', toStream))
  const trailer = `trailer\n<</Size ${bodies.length + 1} /Root 1 0 R /Prev ${head.length} ${toStream}`
  return bytesOf(`${head}${first}xref\n0 0\n${trailer}\nstartxref\n${head.length + first.length}\n%%EOF\n`)
}

function tableOf(offsets: readonly number[]): string {
  const rows = offsets.map((offset) =>
    offset < 0 ? '0000000000 00001 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
  )
  return `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows.join('')}`
}

/** Catalog, page tree and pages as objects 1, 2, 3 …; further objects follow. */
export function pageObjects({ pages = 1, catalog = '', page = '', more = [] }: PageOptions = {}): readonly string[] {
  const numbers = Array.from({ length: pages }, (_, index) => index + 3)
  return [
    `<</Type /Catalog /Pages 2 0 R ${catalog}>>`,
    `<</Type /Pages /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages}>>`,
    ...numbers.map(() => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${page}>>`),
    ...more,
  ]
}

interface PageOptions {
  readonly pages?: number
  /** Members of the catalog. */
  readonly catalog?: string
  /** Members of each page. */
  readonly page?: string
  readonly more?: readonly string[]
}

/** A valid file with text on its pages. */
export function plainPdf(pages = 1): Uint8Array<ArrayBuffer> {
  const content = 'BT /F1 18 Tf 72 720 Td (Agreement) Tj ET'
  return buildPdf(
    pageObjects({
      pages,
      page: `/Contents ${pages + 3} 0 R /Resources <</Font <</F1 ${pages + 4} 0 R>>>>`,
      more: [
        `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
        '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
      ],
    }),
  )
}
