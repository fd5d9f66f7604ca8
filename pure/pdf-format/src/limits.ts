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
  /** Values and operators of page contents; forms count each time they are drawn. */
  contentTokens: 8_000_000,
  /** Arrays and dictionaries inside each other, in page contents. */
  contentNesting: 32,
  /** Operands of one operator, with those inside arrays and dictionaries. */
  operands: 200_000,
  /** Saved graphics states. */
  savedStates: 512,
  /** Forms that draw forms. */
  formDepth: 12,
  /** Shown characters of a document, and of one page. */
  glyphs: 2_000_000,
  pageGlyphs: 100_000,
  /** Codes of all fonts with their characters and widths. */
  fontMappings: 1_500_000,
  /** One decoded CMap or font program. */
  fontBytes: 16 * 1_048_576,
} as const

export type PdfLimits = { readonly [Name in keyof typeof PDF_LIMITS]: number }
