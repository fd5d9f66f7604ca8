import { PDF_LIMITS } from '../limits.ts'
import { PdfRefused } from '../refusal.ts'

/**
 * What reading a document may still cost. Objects that overlap, and streams that refer to each other, make work that
 * grows with the square of the file's size; here it ends.
 */
export class Budget {
  #decoded: number = PDF_LIMITS.decodedBytes
  #tokens: number = PDF_LIMITS.tokens
  #steps: number

  constructor(fileBytes: number) {
    // Every byte is read once, and some twice: cross-reference sections also as objects.
    this.#steps = 3 * fileBytes + 65_536
  }

  get decodedLeft(): number {
    return this.#decoded
  }

  takeDecoded(cost: number): void {
    this.#decoded -= cost
    if (this.#decoded < 0) throw new PdfRefused('too_complex', 'the decoded streams are too large')
    // Streams of objects are read like the file itself.
    this.#steps += 2 * cost
  }

  takeToken(): void {
    this.#tokens -= 1
    if (this.#tokens < 0) throw new PdfRefused('too_complex', 'the file has too many values')
  }

  takeSteps(count: number): void {
    this.#steps -= count
    if (this.#steps < 0) throw new PdfRefused('too_complex', 'objects of the file overlap')
  }
}
