/** How slowly an answer may be read: at least `minBytes` in each `windowMs` in which bytes wait for the reader. */
export interface ReaderLimit {
  readonly windowMs: number
  readonly minBytes: number
}

export const READER_LIMIT: ReaderLimit = { windowMs: 120_000, minBytes: 16_000 }
