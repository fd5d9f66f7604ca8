/** An error says what happened, then what to do. */
export interface ErrorText {
  readonly what: string
  readonly next: string
}

/** By the key of the platform's error. */
export type ErrorTexts = Readonly<Record<string, ErrorText>>
