import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { decodeJson, parseJson } from './json.ts'
import type { ThreadAnswer, ThreadTask } from './thread-messages.ts'

/** The thread that reads large bodies; see [Note: large bodies]. */
parentPort?.on('message', ({ bytes, wantsSha256 }: ThreadTask) => {
  const sha256 = wantsSha256 ? createHash('sha256').update(bytes).digest('hex') : null
  const text = decodeJson(bytes)
  // Frees the memory now: the next collection may come after the parser has taken as much again.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  const answer: ThreadAnswer = { read: text.ok ? parseJson(text.value) : text, sha256 }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage(answer)
})
