import type { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Egress } from '@sealpost/egress'
import { type Clock, formatInstant, instant, type Random, Secret, StartRefusedError } from '@sealpost/kernel'
import { readCertificate } from '@sealpost/pdf-format'
import type { PoolOptions } from './child/pool.ts'
import { openPdf, type Pdf } from './pdf.ts'
import type { RevocationOptions } from './seal/revocation-lists.ts'
import { createKeySigner, readCertificates, type SealSigner } from './seal/signer.ts'
import { createSocketSigner } from './seal/socket-signer.ts'
import type { TimestampOptions } from './seal/timestamp-client.ts'
import type { SealSettings } from './settings.ts'

export interface SealerNeeds {
  readonly egress: Egress
  readonly clock: Clock
  readonly random: Random
  readonly pool?: PoolOptions
  /** A revocation list could not be fetched. */
  readonly onRevocationProblem?: (message: string) => void
}

/** Seals as the settings say; null without a certificate. Key and certificates are read now, processes start later. */
export function openSealer(settings: SealSettings, needs: SealerNeeds): Pdf | null {
  if (settings.SEAL_CERT === '') {
    if (settings.SEAL_KEY.reveal() !== '' || settings.SEAL_SIGNER !== '')
      throw new StartRefusedError('SEAL_CERT is empty: set the certificate of SEAL_KEY or SEAL_SIGNER')
    return null
  }
  const timestamp = timestampOf(settings, needs)
  return openPdf({
    signer: signerOf(settings),
    ...(timestamp === null ? {} : { timestamp }),
    ...(settings.SEAL_REVOCATION ? { revocation: revocationOf(needs) } : {}),
    ...(needs.pool === undefined ? {} : { pool: needs.pool }),
  })
}

function signerOf({ SEAL_CERT, SEAL_KEY, SEAL_SIGNER: path }: SealSettings): SealSigner {
  const certificatePem = pemOf('SEAL_CERT', SEAL_CERT)
  const key = SEAL_KEY.reveal()
  if ((key === '') === (path === '')) throw new StartRefusedError('SEAL_CERT needs either SEAL_KEY or SEAL_SIGNER')
  if (path !== '') return createSocketSigner({ path, certificatePem })
  return createKeySigner(certificatePem, new Secret(pemOf('SEAL_KEY', key)))
}

function timestampOf({ TSA_URL: url, TSA_CERT }: SealSettings, needs: SealerNeeds): TimestampOptions | null {
  if (url === '') return null
  const trusted = readCertificates('TSA_CERT', pemOf('TSA_CERT', TSA_CERT)).map(({ raw }) =>
    readCertificate(Uint8Array.from(raw)),
  )
  const { egress, clock, random } = needs
  return { url, egress, clock, random, trusted }
}

function revocationOf({ egress, clock, onRevocationProblem = () => {} }: SealerNeeds): RevocationOptions {
  return { egress, clock, onProblem: onRevocationProblem }
}

const PEM = '-----BEGIN '

/** Names the setting and never its value: a key may be in the wrong one. */
function pemOf(name: string, value: string): string {
  if (value.includes(PEM)) return value
  try {
    return readFileSync(value, 'utf8')
  } catch (error) {
    throw new StartRefusedError(`${name} is neither PEM nor the path of a readable file`, { cause: codeOf(error) })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}

const SOON_MS = 30 * 86_400_000

/** For an operator: what is wrong with the seal, or will be soon; null when all is well. */
export function sealAdvice(settings: SealSettings, clock: Clock): string | null {
  if (settings.SEAL_CERT === '')
    return 'there is no seal: signing a PDF contract answers 503 documents.seal_failed until SEAL_CERT and SEAL_KEY are set'
  const state = certificateState(settings, clock)
  return state === null
    ? null
    : `the certificate of the seal ${state}: set a new SEAL_CERT and SEAL_KEY, and restart the API processes`
}

/** Whether contracts can be sealed now. A seal that a certificate made stays valid when it has expired. */
export function isSealValid(settings: SealSettings, clock: Clock): boolean {
  const state = certificateState(settings, clock)
  return state === null || state.startsWith(SOON)
}

const SOON = 'expires at'

function certificateState({ SEAL_CERT }: SealSettings, clock: Clock): string | null {
  try {
    const [leaf] = readCertificates('SEAL_CERT', pemOf('SEAL_CERT', SEAL_CERT))
    return leaf === undefined ? null : stateOf(leaf, clock.now())
  } catch (error) {
    if (error instanceof StartRefusedError) return `cannot be read (${error.message})`
    throw error
  }
}

function stateOf({ validFrom, validTo }: X509Certificate, now: number): string | null {
  if (now < Date.parse(validFrom)) return `is valid only from ${timeOf(validFrom)}`
  if (now > Date.parse(validTo)) return `has expired at ${timeOf(validTo)}`
  return now + SOON_MS > Date.parse(validTo) ? `${SOON} ${timeOf(validTo)}` : null
}

function timeOf(text: string): string {
  return formatInstant(instant(Date.parse(text)))
}
