import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The SubjectPublicKeyInfo of a P-256 key; null for anything else. */
export function parseDeviceKey(base64: string): Uint8Array | null {
  const bytes = Buffer.from(base64, 'base64')
  const key = openKey(bytes)
  if (key === null || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return null
  return key.export({ type: 'spki', format: 'der' })
}

/** Whether the key has signed this text: ES256, the signature as the 64 bytes of WebCrypto and JOSE. */
export function isSignedBy(publicKey: Uint8Array, text: string, signatureBase64: string): boolean {
  const key = openKey(publicKey)
  const signature = Buffer.from(signatureBase64, 'base64')
  if (key === null || signature.length !== 64) return false
  return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

function openKey(spki: Uint8Array): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}
