import { webcrypto, X509Certificate } from 'node:crypto'
import { type Bytes, createUtf8Codec } from '@sealpost/crypto'
import { instant, Secret } from '@sealpost/kernel'
import { type SealReport, type SealTrust, verifySeal } from '@sealpost/pdf-format'
import { systemClock } from '@sealpost/process'
import { createKeySigner, type SealRequest, type SealSigner } from '../index.ts'
import type { TestPki } from './certificates.ts'
import { signersOfManyScripts } from './signers.ts'

/** Of this moment: test certificates are valid from the second in which they were issued. */
export function sealRequest(): SealRequest {
  return {
    documentId: 'doc_7',
    owner: 'ana',
    documentName: 'Vertrag über 契約書',
    sealedAt: instant(systemClock.now()),
    acts: signersOfManyScripts().slice(0, 2),
  }
}

export function derOf(pki: TestPki, name: string): Bytes {
  return Uint8Array.from(new X509Certificate(pki.read(name)).raw)
}

export function keySigner(pki: TestPki, name: 'seal-ec' | 'seal-rsa'): SealSigner {
  return createKeySigner(pki.read(`${name}.pem`), new Secret(pki.read(`${name}.key`)))
}

/** The report, or why there is none. */
export async function verify(file: Uint8Array, trust: SealTrust): Promise<SealReport | string> {
  const host = { crypto: webcrypto, utf8: createUtf8Codec(globalThis) }
  const outcome = await verifySeal(host, Uint8Array.from(file), trust)
  return outcome.ok ? outcome.value : outcome.refusal
}
