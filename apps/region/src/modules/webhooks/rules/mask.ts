const BULLETS = '\u2022'.repeat(4)
const TAIL = 4
/** Of a shorter one the tail would be most of it. */
const SHOWS_TAIL_FROM = 8

/** What is shown of a secret. */
export function maskSecret(text: string): string {
  const characters = Array.from(text)
  return characters.length < SHOWS_TAIL_FROM ? BULLETS : BULLETS + characters.slice(-TAIL).join('')
}

/** Somebody sends back what was shown once; kept as a secret it would be useless. */
export function looksMasked(text: string): boolean {
  return text.startsWith(BULLETS)
}
