const BULLETS = '\u2022'.repeat(4)
const TAIL = 4
/** The tail of a shorter secret would be most of it. */
const SHOWS_TAIL_FROM = 8

/** The form in which a stored secret is answered. */
export function maskSecret(text: string): string {
  const characters = Array.from(text)
  return characters.length < SHOWS_TAIL_FROM ? BULLETS : BULLETS + characters.slice(-TAIL).join('')
}

/** A caller sent back a masked value, which must not become the secret. */
export function looksMasked(text: string): boolean {
  return text.startsWith(BULLETS)
}
