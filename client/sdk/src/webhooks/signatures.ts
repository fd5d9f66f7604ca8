import {
  type Bytes,
  importWebhookSecret,
  TOLERANCE_SECONDS,
  verifyPlatformSignature,
  verifyStandardSignature,
  type WebhookKey,
} from '@sealpost/crypto'
import { accept, decline, instant, type Result, Secret } from '@sealpost/kernel'
import { hostPlatform } from '../keys/host.ts'
import type { ReceivedRequest } from './received-request.ts'
import type { ReceiverOptions } from './receiver-options.ts'

export interface Checked {
  /** `webhook-id`, if a signature covers it. */
  readonly eventId: string | null
}

type SignatureProblem = 'signature_missing' | 'signature_malformed' | 'signature_mismatch' | 'timestamp_too_far'

export type CheckSignatures = (
  headers: ReceivedRequest['headers'],
  body: Bytes,
) => Promise<Result<Checked, SignatureProblem>>

/**
 * `webhook-signature` covers id, time and body, so it decides. Without it a delivery is accepted with `acceptUntimed` only:
 * otherwise an attacker could replay an old delivery without that header and skip the check of the time.
 * `X-Platform-Signature` is checked when present. During a rotation it is made with the newest secret only, which this
 * receiver may not have yet; then `webhook-signature` suffices.
 */
export async function checkSignatures(options: ReceiverOptions): Promise<CheckSignatures> {
  const keys = await importSecrets(options.secrets)
  const {
    acceptUntimed = false,
    headerVendor = 'Platform',
    toleranceSeconds = TOLERANCE_SECONDS,
    clock = systemClock,
  } = options
  if (!(toleranceSeconds > 0)) throw new TypeError('toleranceSeconds must be more than 0')

  return async (headers, body) => {
    const platformHeader = oneHeader(headers, `x-${headerVendor.toLowerCase()}-signature`)
    const standard = {
      id: oneHeader(headers, 'webhook-id'),
      timestamp: oneHeader(headers, 'webhook-timestamp'),
      signature: oneHeader(headers, 'webhook-signature'),
    }
    const platform = hostPlatform()
    const byPlatform =
      platformHeader === null ? null : await verifyPlatformSignature(platform, keys, platformHeader, body)
    if (standard.signature === null) {
      if (byPlatform === null || !acceptUntimed) return decline('signature_missing')
      return byPlatform.ok ? accept({ eventId: null }) : byPlatform
    }
    const times = { now: instant(clock.now()), toleranceSeconds }
    const byStandard = await verifyStandardSignature(platform, keys, standard, body, times)
    if (!byStandard.ok) return byStandard
    const isRotating = standard.signature.includes(' ')
    return byPlatform?.ok === false && !isRotating ? byPlatform : accept({ eventId: standard.id })
  }
}

/** Secrets of the platform contain no white space. */
const READ_FROM_A_FILE = /^whsec_\S{44}\s+$/

async function importSecrets(secrets: ReceiverOptions['secrets']): Promise<readonly WebhookKey[]> {
  const given = secrets.filter((secret) => secret !== undefined)
  if (given.length === 0) throw new TypeError('secrets is empty: give the HMAC secret of the webhook')
  // No signature would ever match, for no visible reason.
  if (given.some((secret) => READ_FROM_A_FILE.test(secret))) {
    throw new TypeError('a secret ends with a line break or a space: trim the content of its file')
  }
  return Promise.all(
    given.map(async (secret) => {
      const imported = await importWebhookSecret(hostPlatform(), new Secret(secret))
      if (!imported.ok) throw new TypeError('a secret is empty or not valid text')
      return imported.value
    }),
  )
}

/** A repeated header counts as missing: it is ambiguous. */
export function oneHeader(headers: ReceivedRequest['headers'], name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' ? value : null
}

// oxlint-disable-next-line sealpost/time-and-chance -- the default clock of the SDK, which customers can replace
const systemClock = { now: (): number => Date.now() }
