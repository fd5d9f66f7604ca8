import type { Readable } from 'node:stream'

/** The server sent nothing although its bytes were wanted. */
class SilentServerError extends Error {
  override readonly name = 'TimeoutError'

  constructor(silenceMs: number) {
    super(`no bytes for ${silenceMs} ms`)
  }
}

/**
 * The bytes of an answer. Silence counts only while a reader waits for them: a server that has to wait for a slow reader
 * is not silent.
 */
export async function* unlessSilent(body: Readable, silenceMs: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  for (;;) {
    const stop = watchSilence(body, silenceMs)
    const next = await chunks.next().finally(stop)
    if (next.done === true) return
    yield next.value
  }
}

/** Ends the answer after the time, unless stopped. */
export function watchSilence(body: Readable, silenceMs: number): () => void {
  let isOver = false
  const end = (): void => {
    if (!isOver) body.destroy(new SilentServerError(silenceMs))
  }
  // Bytes that arrived while this process was busy are read before the turn that ends the answer.
  const timer = setTimeout(() => setImmediate(end), silenceMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
