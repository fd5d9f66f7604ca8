import { buildPdf, type BuildOptions } from '@sealpost/pdf-format/testing'

/** Of a page with one content. */
export interface Sheet {
  readonly content: string
  readonly resources?: string
  readonly catalog?: string
  readonly page?: string
  readonly tree?: string
  /** Objects from `FIRST` on. */
  readonly more?: readonly (string | null)[]
}

/** The number of the first object of `more`. */
export const FIRST = 6

export const stream = (data: string, members = ''): string =>
  `<<${members} /Length ${data.length}>>\nstream\n${data}\nendstream`

export const form = (data: string, members = ''): string =>
  stream(data, `/Type /XObject /Subtype /Form /BBox [0 0 240 160] ${members}`)

/** Catalog 1, page tree 2, page 3, content 4, font 5. */
export function bodiesOf(sheet: Sheet): readonly (string | null)[] {
  const { content, resources = '', catalog = '', page = '', tree = '', more = [] } = sheet
  return [
    `<</Type /Catalog /Pages 2 0 R ${catalog}>>`,
    `<</Type /Pages /Kids [3 0 R] /Count 1 ${tree}>>`,
    `<</Type /Page /Parent 2 0 R ${box(page)} ${contents(page)} ${own(page, resources)} ${page}>>`,
    stream(content),
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    ...more,
  ]
}

const box = (page: string): string => (page.includes('/MediaBox') ? '' : '/MediaBox [0 0 240 160]')
const contents = (page: string): string => (page.includes('/Contents') ? '' : '/Contents 4 0 R')
/** `/Own none` of a page that has no resources. */
const own = (page: string, resources: string): string =>
  page.includes('/Resources') || resources === NONE ? '' : `/Resources <<${resources}>>`

export const NONE = 'none'

export function sheetPdf(sheet: Sheet, options?: BuildOptions): Uint8Array {
  return buildPdf(bodiesOf(sheet), options)
}
