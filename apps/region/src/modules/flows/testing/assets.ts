import { bodyOf, type FlowAuthor } from '@sealpost/testkit'

/** One pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function dataUri(mimeType: string, bytes: Buffer): string {
  return `data:${mimeType};base64,${bytes.toString('base64')}`
}

const ENDINGS: Readonly<Record<string, string>> = { 'application/pdf': 'pdf', 'image/png': 'png' }

/** A PDF of one page with these lines of text. */
export function pdfWith(...lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj 0 -20 Td`).join('\n')
  const content = `BT /F1 12 Tf 50 700 Td\n${text}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, place) => {
    const offset = file.length
    file += `${place + 1} 0 obj\n${object}\nendobj\n`
    return String(offset).padStart(10, '0')
  })
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('')
  const count = objects.length + 1
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}

/** Uploads a file, a PDF unless told; answers its key. */
export async function upload(
  author: FlowAuthor,
  flowId: string,
  mimeType = 'application/pdf',
  bytes = pdfWith('Contract'),
): Promise<string> {
  const body = { file: dataUri(mimeType, bytes), original_name: `file.${ENDINGS[mimeType] ?? ''}` }
  return String((await bodyOf(author.call('POST', `/${flowId}/assets`, body), 201))['asset_key'])
}
