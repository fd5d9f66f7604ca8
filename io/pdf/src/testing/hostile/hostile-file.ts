import type { PdfRefusal } from '@sealpost/pdf-format'

/** A file that must be refused, and for which reason. */
export interface HostileFile {
  readonly name: string
  readonly refusal: PdfRefusal
  readonly bytes: Uint8Array
}

export function hostile(name: string, refusal: PdfRefusal, bytes: Uint8Array | string): HostileFile {
  return { name, refusal, bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes }
}

/** The body of an object: a stream with these members. */
export function streamBody(members: string, data: Uint8Array | string): string {
  const text = typeof data === 'string' ? data : Buffer.from(data).toString('latin1')
  return `<<${members} /Length ${text.length}>>\nstream\n${text}\nendstream`
}
