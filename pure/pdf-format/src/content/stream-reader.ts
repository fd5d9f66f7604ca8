import type { PdfDocument } from '../reader/document.ts'
import type { PdfStream } from '../reader/objects.ts'
import { decodeStream } from './filters.ts'
import type { ScanBudget } from './scan-budget.ts'

/** Decoded contents, each decoded once: a form may be on every page. */
export class StreamReader {
  readonly #document: PdfDocument
  readonly #budget: ScanBudget
  readonly #known = new Map<PdfStream, Uint8Array | null>()

  constructor(document: PdfDocument, budget: ScanBudget) {
    this.#document = document
    this.#budget = budget
  }

  /** Null for a filter that contents do not have. */
  read(stream: PdfStream): Uint8Array | null {
    const known = this.#known.get(stream)
    if (known !== undefined) return known
    const bytes = decodeStream(this.#document, stream, this.#budget)
    this.#known.set(stream, bytes)
    return bytes
  }
}
