import type { Random } from '@sealpost/kernel'

/**
 * Returns true for `ratio` of the calls. The draw is a xorshift generator, seeded once: a real random number per
 * request would cost more than the rest of an unrecorded trace, and "every hundredth" would correlate with callers that
 * repeat a pattern.
 */
export function openSampler(ratio: number, random: Random): () => boolean {
  const threshold = ratio * 2 ** 32
  // Zero is the one state that xorshift never leaves.
  let state = random.bytes(4).reduce((seed, byte) => (seed << 8) | byte, 0) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0 < threshold
  }
}
