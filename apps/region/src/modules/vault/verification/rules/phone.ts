const SEPARATORS = /[ ().-]/g
const INTERNATIONAL = /^\+\d{4,15}$/

/** The number that a message can be sent to; null without a country code. */
export function internationalNumber(text: string): string | null {
  const digits = text.replaceAll(SEPARATORS, '')
  return INTERNATIONAL.test(digits) ? digits : null
}
