import { createHash } from 'node:crypto'
import { type Bytes, joinBytes } from '@sealpost/crypto'
import { TAG, writeElement, writeInteger, writeOctets, writeSequence } from '@sealpost/crypto/der'
import { OIDS, readCertificate } from '@sealpost/pdf-format'
import { algorithm, oid, setOf } from './der-values.ts'
import type { SealSigner } from './signer.ts'

/** Makes a time-stamp token over the signature; null for a seal without one. */
export type Stamp = ((signature: Bytes) => Promise<Bytes>) | null

/**
 * A detached CMS signature as CAdES has it: content type, digest and the signer's certificate are signed, and no
 * signing time, which PAdES forbids.
 */
export async function signDetached(signer: SealSigner, digest: Bytes, stamp: Stamp): Promise<Bytes> {
  const certificate = readCertificate(signer.certificate)
  const attributes = [
    attribute(OIDS.contentType, oid(OIDS.data)),
    attribute(OIDS.messageDigest, writeOctets(digest)),
    attribute(OIDS.signingCertificateV2, signingCertificate(signer.certificate)),
  ]
  const signature = await signer.sign(setOf(attributes))
  const token = stamp === null ? null : await stamp(signature)
  const isRsa = signer.algorithm === 'rsa'
  const info = writeSequence(
    writeInteger(1),
    writeSequence(certificate.issuer, writeElement(TAG.integer, certificate.serial)),
    algorithm(OIDS.sha256),
    setOf(attributes, 0xa0),
    algorithm(isRsa ? OIDS.sha256WithRsa : OIDS.ecdsaWithSha256),
    writeOctets(signature),
    ...(token === null ? [] : [setOf([attribute(OIDS.timeStampToken, token)], 0xa1)]),
  )
  const signedData = writeSequence(
    writeInteger(1),
    setOf([algorithm(OIDS.sha256)]),
    writeSequence(oid(OIDS.data)),
    setOf([signer.certificate, ...signer.chain], 0xa0),
    setOf([info]),
  )
  return writeSequence(oid(OIDS.signedData), writeElement(0xa0, signedData))
}

/** ESSCertIDv2 with SHA-256, which is the default and therefore not written. */
function signingCertificate(certificate: Bytes): Bytes {
  const hash = Uint8Array.from(createHash('sha256').update(certificate).digest())
  return writeSequence(writeSequence(writeSequence(writeOctets(hash))))
}

function attribute(type: string, value: Bytes): Bytes {
  return writeSequence(oid(type), writeElement(0x31, joinBytes([value])))
}
