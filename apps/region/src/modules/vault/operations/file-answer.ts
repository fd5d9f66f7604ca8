import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Result, textSlices } from '@sealpost/kernel'
import { type ObjectKey, type Objects, startSha256, type StoredObject } from '@sealpost/objects'

const CONTENT_TYPE = 'application/json'
/** A longer text is streamed; the store repeats the upload of a shorter one if it fails. */
const STREAMED_CHARACTERS = 1_048_576

/**
 * Stores `{"encrypted": …, "value": …}`, which the file routes answer. A long text is written in parts, with turns of the
 * event loop in between: sixty megabytes at once would hold up every other call, and take twice the memory. The parts are
 * made twice, because the digest is sent first.
 */
export async function putFileAnswer(
  objects: Pick<Objects, 'put' | 'putStream'>,
  key: ObjectKey,
  isEncrypted: boolean,
  value: string,
): Promise<Result<StoredObject, 'damaged'>> {
  if (value.length <= STREAMED_CHARACTERS) {
    const content = Buffer.from(JSON.stringify({ encrypted: isEncrypted, value }))
    return objects.put(key, content, { contentType: CONTENT_TYPE })
  }
  const hash = startSha256()
  let sizeBytes = 0
  for await (const part of answerParts(isEncrypted, value)) {
    hash.update(part)
    sizeBytes += part.length
  }
  const about = { contentType: CONTENT_TYPE, sha256: hash.end(), sizeBytes }
  return objects.putStream(key, answerParts(isEncrypted, value), about)
}

/** The bytes of the answer. */
export async function* answerParts(isEncrypted: boolean, value: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"encrypted":${isEncrypted},"value":"`)
  for (const slice of textSlices(value)) {
    await nextTurn()
    yield Buffer.from(JSON.stringify(slice).slice(1, -1))
  }
  yield Buffer.from('"}')
}

/** SHA-256 over texts, in the same way. */
export async function sha256OfTexts(texts: Iterable<string>): Promise<string> {
  const hash = createHash('sha256')
  for (const text of texts) {
    for (const slice of textSlices(text)) {
      hash.update(slice)
      if (text.length > slice.length) await nextTurn()
    }
  }
  return hash.digest('hex')
}
