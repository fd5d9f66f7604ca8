import { bytesOf, latin1 } from '../../reader/characters.ts'
import type { PdfRefusal } from '../../refusal.ts'

/** A file that must be refused, and for which reason. */
export interface HostileFile {
  readonly name: string
  readonly refusal: PdfRefusal
  readonly bytes: Uint8Array
}

export function hostile(name: string, refusal: PdfRefusal, bytes: Uint8Array | string): HostileFile {
  return { name, refusal, bytes: typeof bytes === 'string' ? bytesOf(bytes) : bytes }
}

/** The body of an object: a stream with these members. */
export function streamBody(members: string, data: Uint8Array | string): string {
  const text = typeof data === 'string' ? data : latin1(data)
  return `<<${members} /Length ${text.length}>>\nstream\n${text}\nendstream`
}
