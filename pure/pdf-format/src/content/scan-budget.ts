import { PDF_LIMITS } from '../limits.ts'
import { Budget } from '../reader/budget.ts'
import { PdfRefused } from '../refusal.ts'

/**
 * What reading the text of a document may cost. It is apart from the budget of the gate, which has decoded all streams
 * before. A form is charged each time it is drawn: forms that draw forms grow exponentially.
 */
export class ScanBudget {
  readonly streams: Budget
  #tokens: number = PDF_LIMITS.contentTokens
  #glyphs: number = PDF_LIMITS.glyphs
  #mappings: number = PDF_LIMITS.fontMappings

  constructor(fileBytes: number) {
    this.streams = new Budget(fileBytes)
  }

  takeTokens(count: number): void {
    this.#tokens -= count
    if (this.#tokens < 0) throw new PdfRefused('too_complex', 'the pages have too many operators')
  }

  takeGlyph(): void {
    this.#glyphs -= 1
    if (this.#glyphs < 0) throw new PdfRefused('too_complex', 'the pages have too much text')
  }

  /** Codes of fonts with their characters and widths: a few bytes can state 65,536 of them. */
  takeMappings(count: number): void {
    this.#mappings -= count
    if (this.#mappings < 0) throw new PdfRefused('too_complex', 'the fonts have too many characters')
  }
}
