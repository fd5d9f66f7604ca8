import { decodeStream } from '../content/filters.ts'
import type { ScanBudget } from '../content/scan-budget.ts'
import { PDF_LIMITS } from '../limits.ts'
import type { PdfDocument } from '../reader/document.ts'
import { isName, isStream, type PdfDict, type PdfObject } from '../reader/objects.ts'
import { type CMap, readCMap } from './cmap.ts'
import { readCompositeFont } from './composite-font.ts'
import type { PdfFont } from './font.ts'
import { readSimpleFont } from './simple-font.ts'

/** Fonts of a document, each read once. */
export class FontReader {
  readonly #document: PdfDocument
  readonly #budget: ScanBudget
  readonly #known = new Map<PdfDict, PdfFont>()

  constructor(document: PdfDocument, budget: ScanBudget) {
    this.#document = document
    this.#budget = budget
  }

  read(dict: PdfDict): PdfFont {
    const known = this.#known.get(dict)
    if (known !== undefined) return known
    // A font costs about as much as a thousand operators.
    this.#budget.takeTokens(1_000)
    const font = this.#readNew(dict)
    this.#known.set(dict, font)
    return font
  }

  #readNew(dict: PdfDict): PdfFont {
    const subtype = this.#document.get(dict, 'Subtype')
    const base = this.#document.get(dict, 'BaseFont') ?? this.#document.get(dict, 'Name')
    const options = {
      name: nameOfFont(base),
      toUnicode: this.#toUnicode(this.#document.get(dict, 'ToUnicode')),
      budget: this.#budget,
    }
    return isName(subtype, 'Type0')
      ? readCompositeFont(this.#document, dict, options)
      : readSimpleFont(this.#document, dict, options)
  }

  #toUnicode(stated: PdfObject): CMap | null {
    if (!isStream(stated)) return null
    const bytes = decodeStream(this.#document, stated, this.#budget)
    return bytes === null || bytes.length > PDF_LIMITS.fontBytes ? null : readCMap(bytes, this.#budget)
  }
}

const MAX_NAME = 100

function nameOfFont(base: PdfObject): string {
  const name = isName(base) ? base.name : 'unnamed'
  return name.replace(/^[A-Z]{6}\+/, '').slice(0, MAX_NAME)
}
