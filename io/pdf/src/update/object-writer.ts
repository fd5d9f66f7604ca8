import type { PdfDict, PdfObject, PdfRef } from '@sealpost/pdf-format'

/** Takes new objects of a file, and other versions of those that it has. */
export interface ObjectWriter {
  reserve(): PdfRef
  write(place: PdfRef, object: PdfObject): void
  writeStream(place: PdfRef, entries: PdfDict, data: Uint8Array): void
}
