import type { Bytes } from '@sealpost/crypto'
import { writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { OIDS } from '../object-ids.ts'
import { algorithm, longTime, oid } from './certificate.ts'
import { type SignedDataWish, writeSignedData } from './signed-data.ts'

export interface TokenWish extends Omit<SignedDataWish, 'content'> {
  readonly imprint: Bytes
  readonly imprintAlgorithm?: string
  /** GeneralizedTime. */
  readonly time?: string
  readonly nonce?: number
}

/** A time-stamp token (RFC 3161). */
export function writeToken({ imprint, imprintAlgorithm = OIDS.sha256, time, nonce, ...wish }: TokenWish): Bytes {
  const content = writeSequence(
    writeInteger(1),
    oid('1.2.3.4.1'),
    writeSequence(algorithm(imprintAlgorithm), writeOctets(imprint)),
    writeInteger(77),
    longTime(time ?? '20260501120000.25Z'),
    // Accuracy, which a reader of the nonce has to skip.
    writeSequence(writeInteger(1)),
    ...(nonce === undefined ? [] : [writeInteger(nonce)]),
    writeElement(0xa0, new Uint8Array()),
  )
  return writeSignedData({ contentType: OIDS.timeStampInfo, isInside: true, ...wish, content })
}
