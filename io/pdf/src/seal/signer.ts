import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import type { Bytes } from '@sealpost/crypto'
import { StartRefusedError, type Secret } from '@sealpost/kernel'

/** The key of the seal, wherever it is. */
export interface SealSigner {
  /** DER, and the certificates that lead from it to one that verifiers trust. */
  readonly certificate: Bytes
  readonly chain: readonly Bytes[]
  readonly algorithm: 'rsa' | 'ecdsa'
  /** With SHA-256: PKCS#1 v1.5, or the DER form of ECDSA. */
  sign(content: Bytes): Promise<Bytes>
}

/** SEAL_CERT: the certificate of the seal first, then those that lead to the root. */
export function readSealCertificates(pem: string): Pick<SealSigner, 'certificate' | 'chain' | 'algorithm'> {
  const [leaf, ...chain] = readCertificates('SEAL_CERT', pem)
  return {
    certificate: Uint8Array.from(leaf.raw),
    chain: chain.map(({ raw }) => Uint8Array.from(raw)),
    algorithm: algorithmOf(leaf.publicKey),
  }
}

/** At least one; `setting` is named if there is none. */
export function readCertificates(setting: string, pem: string): readonly [X509Certificate, ...X509Certificate[]] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const [first, ...others] = blocks.map((block) => readBlock(setting, block))
  if (first === undefined) throw new StartRefusedError(`${setting} has no certificate`)
  return [first, ...others]
}

function readBlock(setting: string, block: string): X509Certificate {
  try {
    return new X509Certificate(block)
  } catch (error) {
    throw new StartRefusedError(`${setting} has a certificate that cannot be read`, { cause: error })
  }
}

/** P-256, or RSA of at least 3072 bits. */
function algorithmOf(key: KeyObject): SealSigner['algorithm'] {
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ecdsa'
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= 3072) return 'rsa'
  throw new StartRefusedError('the key of the seal must be P-256, or RSA of at least 3072 bits')
}

/** The key in the memory of this process. */
export function createKeySigner(certificatePem: string, keyPem: Secret<string>): SealSigner {
  const certificates = readSealCertificates(certificatePem)
  const key = readKey(keyPem)
  if (!new X509Certificate(certificates.certificate).checkPrivateKey(key))
    throw new StartRefusedError('SEAL_KEY is not the key of SEAL_CERT')
  return { ...certificates, sign: async (content) => Uint8Array.from(sign('sha256', content, key)) }
}

function readKey(keyPem: Secret<string>): KeyObject {
  try {
    return createPrivateKey(keyPem.reveal())
  } catch {
    // The message of OpenSSL is about the key's bytes.
    throw new StartRefusedError('SEAL_KEY is not a private key in PEM')
  }
}
