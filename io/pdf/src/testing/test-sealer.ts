import { openEgress } from '@sealpost/egress'
import { type Certificate, readCertificate } from '@sealpost/pdf-format'
import { systemClock, systemRandom } from '@sealpost/process'
import { openPdf, type SealRequest } from '../index.ts'
import type { TestPki } from './certificates.ts'
import { derOf, keySigner, sealRequest } from './open-sealer.ts'
import { startTimestampAuthority } from './timestamp-authority.ts'

/** Seals files with the keys of a test PKI, for the tests of those who verify them. */
export interface TestSealer {
  /** Two acts, of this moment, unless told. */
  readonly request: SealRequest
  /** B-B; `isStamped`: B-T, by an authority on loopback. */
  seal(
    file: Uint8Array,
    options?: { readonly isStamped?: boolean; readonly request?: SealRequest },
  ): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

export async function openTestSealer(pki: TestPki, key: 'seal-ec' | 'seal-rsa' = 'seal-ec'): Promise<TestSealer> {
  const signer = keySigner(pki, key)
  const authority = await startTimestampAuthority(pki)
  const egress = openEgress({ policy: { allowPrivateTargets: true }, clock: systemClock })
  const trusted: readonly Certificate[] = [readCertificate(derOf(pki, 'root.pem'))]
  const timestamp = { url: authority.url, egress, clock: systemClock, random: systemRandom, trusted }
  const [plain, stamping] = [openPdf({ signer }), openPdf({ signer, timestamp })]
  const usual = sealRequest()
  return {
    request: usual,
    async seal(file, { isStamped = false, request = usual } = {}) {
      const outcome = await (isStamped ? stamping : plain).seal(file, request)
      if (!outcome.ok) throw new Error(outcome.refusal)
      return outcome.value.bytes
    },
    async close() {
      egress.close()
      await Promise.all([plain.close(), stamping.close(), authority.close()])
    },
  }
}
