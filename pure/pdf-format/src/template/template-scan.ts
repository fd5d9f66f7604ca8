/** What a PDF offers as a template of documents. */
export interface TemplateScan {
  readonly pages: number
  /** Each key once, in lower case, in the order of the pages. */
  readonly keys: readonly string[]
  /** At most `TEMPLATE_LIMITS.tags`. */
  readonly tags: readonly TemplateTag[]
  /** Text that looks like a tag and is none, at most `TEMPLATE_LIMITS.leftovers`. */
  readonly leftovers: readonly TemplateLeftover[]
  /** Where tags would not be seen, at most `TEMPLATE_LIMITS.unreadable`. */
  readonly unreadable: readonly UnreadableText[]
  /** More was found than is listed. */
  readonly isCut: boolean
}

export interface TemplateTag {
  readonly key: string
  /** In the text, or a form field with the name of a key. */
  readonly source: 'text' | 'field'
  /** From 1. */
  readonly page: number
  /** Points from the upper left corner of the page as it is shown. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Points; 0 for a field whose viewer chooses it. */
  readonly fontSize: number
}

export interface TemplateLeftover {
  /**
   * `split`: the other braces are not beside it on its line; `syntax`: what is between them is no key; `invisible`: a
   * tag in text that is not drawn, such as that of a scanned page.
   */
  readonly reason: 'split' | 'syntax' | 'invisible'
  readonly text: string
  readonly page: number
}

export interface UnreadableText {
  /**
   * `font`: the font does not say which characters it shows; `content`: the operators of the page cannot be read;
   * `picture`: the page has a picture and no text.
   */
  readonly reason: 'font' | 'content' | 'picture'
  readonly page: number
  readonly font?: string
}

export const TEMPLATE_LIMITS = {
  tags: 2_000,
  leftovers: 200,
  unreadable: 200,
  /** Characters of a leftover. */
  leftoverText: 80,
  /** Characters of each part of a key. */
  keyPart: 64,
  fontName: 100,
  /** Points: texts outside of a page have no place worth a name. */
  place: 200_000,
} as const
