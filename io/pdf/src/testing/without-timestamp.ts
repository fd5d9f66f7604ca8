import type { Bytes } from '@sealpost/crypto'
import { type DerElement, readElements, writeElement } from '@sealpost/crypto/der'

const UNSIGNED_ATTRIBUTES = 0xa1

/** The same sealed file without its time-stamp, which is no part of what is signed. */
export function withoutTimestamp(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const copy = Buffer.from(file)
  const start = copy.lastIndexOf('/Contents<') + '/Contents<'.length
  const end = copy.indexOf('>', start)
  const contents = Uint8Array.from(Buffer.from(copy.toString('latin1', start, end), 'hex'))
  const length = 4 + ((contents[2] ?? 0) << 8) + (contents[3] ?? 0)
  const changed = Buffer.from(withoutUnsigned(contents.subarray(0, length))).toString('hex')
  copy.write(changed.padEnd(end - start, '0'), start, 'latin1')
  return Uint8Array.from(copy)
}

/** ContentInfo, SignedData, the last set of it, and its only signer: their last member has what is unsigned. */
function withoutUnsigned(encoded: Bytes): Bytes {
  const elements = readElements(encoded) ?? []
  const kept = elements.filter(({ tag }) => tag !== UNSIGNED_ATTRIBUTES)
  const last = kept.length === elements.length ? kept.at(-1) : undefined
  const isOpened = last !== undefined && (last.tag === 0x30 || last.tag === 0x31 || last.tag === 0xa0)
  const changed = kept.map((element) =>
    element === last && isOpened ? writeElement(element.tag, withoutUnsigned(contentOf(element))) : write(element),
  )
  return Uint8Array.from(Buffer.concat(changed))
}

function contentOf({ content }: DerElement): Bytes {
  return Uint8Array.from(content)
}

function write({ tag, content }: DerElement): Bytes {
  return writeElement(tag, Uint8Array.from(content))
}
