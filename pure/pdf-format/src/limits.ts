/** What one document may cost. The limits hold in servers and in clients, so that both refuse the same files. */
export const PDF_LIMITS = {
  /** DOCUMENT_MAX_MB. */
  bytes: 25 * 1_048_576,
  pages: 300,
  /** Entries of the cross-reference tables. */
  objects: 250_000,
  /** Values of all objects, and the names of their members. */
  tokens: 4_000_000,
  /** Updates of a file: each has a cross-reference section. */
  sections: 256,
  /** Arrays and dictionaries inside each other. */
  nesting: 64,
  /** Levels of the page tree. */
  treeDepth: 64,
  /** One decoded stream that is not an image. */
  streamBytes: 64 * 1_048_576,
  /** All decoded streams that are not images. */
  decodedBytes: 128 * 1_048_576,
  /** Filters of one stream. */
  filters: 4,
  /** Points: 200 inches, the largest page of PDF 1.7 readers. */
  pageSide: 14_400,
} as const

export type PdfLimits = { readonly [Name in keyof typeof PDF_LIMITS]: number }
