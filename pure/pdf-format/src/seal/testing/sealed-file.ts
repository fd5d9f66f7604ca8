import { type Bytes, encodeHex, joinBytes } from '@sealpost/crypto'
import { bytesOf } from '../../reader/characters.ts'
import { SEAL_PLACES_LENGTH, writeListSpans, writeSealPlaces } from '../seal-dictionary.ts'

export interface SealedFileWish {
  readonly signed: Bytes
  readonly record: Bytes
  readonly lists?: readonly Bytes[]
  /** Bytes that are reserved for the signature. */
  readonly reserved?: number
  /** Gets what is covered. */
  readonly sign: (covered: Bytes) => Bytes
}

/** The parts of a sealed file that a verifier reads; no viewer would open it. */
export function writeSealedFile({ signed, record, lists = [], reserved = 4096, sign }: SealedFileWish): Bytes {
  const recordStart = signed.length
  const starts = lists.map((_, index) =>
    [record, ...lists.slice(0, index)].reduce((sum, part) => sum + part.length, recordStart),
  )
  const spans = writeListSpans(lists.map(({ length }, index) => ({ start: starts[index] ?? 0, length })))
  const head = joinBytes([signed, record, ...lists, bytesOf(spans)])
  const contentsStart = head.length + SEAL_PLACES_LENGTH
  const contentsEnd = contentsStart + 2 * reserved
  const tail = bytesOf('>>>\nendobj\n')
  const end = contentsEnd + tail.length
  const places = {
    signedLength: signed.length,
    recordStart,
    recordLength: record.length,
    contentsStart,
    contentsEnd,
    end,
  }
  const before = joinBytes([head, bytesOf(writeSealPlaces(places))])
  const signature = encodeHex(sign(joinBytes([before.subarray(0, -1), tail.subarray(1)])))
  return joinBytes([before, bytesOf(signature.padEnd(2 * reserved, '0')), tail])
}
