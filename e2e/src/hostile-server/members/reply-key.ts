const { subtle } = globalThis.crypto
const generate = subtle.generateKey.bind(subtle)
let pair: ReturnType<typeof generate> | null = null

const shared = (...asked: Parameters<typeof generate>): ReturnType<typeof generate> => (pair ??= generate(...asked))

/**
 * A client makes an RSA key for each reply of a plugin, a tenth of a second each: calls of `work` share one. Nothing else
 * runs beside it.
 */
export async function withOneReplyKey<Result>(work: () => Promise<Result>): Promise<Result> {
  Object.assign(subtle, { generateKey: shared })
  try {
    return await work()
  } finally {
    Object.assign(subtle, { generateKey: generate })
  }
}
