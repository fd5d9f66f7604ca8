import { Secret } from '@sealpost/kernel'
import { createKeySigner, type SealSigner } from '@sealpost/pdf'
import { buildPdf, pageObjects } from '@sealpost/pdf-format/testing'
import { makeSeal } from '@sealpost/pdf/testing'

const LINES = 45
const LINE = 'The parties agree that deliveries are made on working days, and that each of them is paid within a month.'

/** Pages full of text, each with its own content. */
export function contractOf(pages: number): Uint8Array<ArrayBuffer> {
  const font = 3 + pages
  const [catalog = '', tree = '', ...shared] = pageObjects({ pages, page: `/Resources <</Font <</F1 ${font} 0 R>>>>` })
  const withContent = shared.map((page, index) => page.replace(/>>$/, `/Contents ${font + 1 + index} 0 R>>`))
  const contents = shared.map((_, index) => {
    const lines = Array.from({ length: LINES }, (_line, line) => `(${index + 1}.${line + 1} ${LINE}) Tj T*`)
    const content = `BT /F1 9 Tf 60 780 Td 16 TL ${lines.join('\n')} ET`
    return `<</Length ${content.length}>>\nstream\n${content}\nendstream`
  })
  const typeface = '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>'
  return buildPdf([catalog, tree, ...withContent, typeface, ...contents])
}

export function signerOfBench(): SealSigner {
  const { certificate, key } = makeSeal()
  return createKeySigner(certificate, new Secret(key))
}
