/** The types of the package describe its CommonJS file wrongly; these are for its ES module. */
declare module 'bidi-js/dist/bidi.mjs' {
  export default function bidiFactory(): {
    getEmbeddingLevels(
      text: string,
      direction: 'ltr' | 'rtl' | 'auto',
    ): { readonly levels: Uint8Array; readonly paragraphs: readonly { readonly level: number }[] }
  }
}
