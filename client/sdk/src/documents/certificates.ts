import { readCertificate } from '@sealpost/pdf-format'
import { hostPlatform } from '../keys/host.ts'

/** Certificates in PEM, one text may have several; or DER. */
export type CertificateInput = string | Uint8Array | readonly (string | Uint8Array)[]

type Der = Uint8Array<ArrayBuffer>

export function certificatesOf(given: CertificateInput): readonly Der[] {
  const parts = typeof given === 'string' || given instanceof Uint8Array ? [given] : given
  const found = parts.flatMap((part) => (typeof part === 'string' ? fromPem(part) : [Uint8Array.from(part)]))
  for (const der of found) requireReadable(der)
  return found
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g

function fromPem(text: string): readonly Der[] {
  const found = [...text.matchAll(PEM)].map(([, body = '']) => {
    return hostPlatform().base64.decode(body.replaceAll(/\s+/g, '')) ?? unreadable()
  })
  return found.length === 0 ? unreadable() : found
}

/** Here, so that it is not mistaken for a fault of the seal. */
function requireReadable(der: Der): void {
  try {
    readCertificate(der)
  } catch (error) {
    unreadable(error)
  }
}

function unreadable(cause?: unknown): never {
  throw new TypeError('a trusted certificate cannot be read: give PEM (-----BEGIN CERTIFICATE-----) or DER', { cause })
}
