import {
  type CryptoPlatform,
  createCryptoPlatform,
  importWebhookSecret,
  signWebhook,
  verifyPlatformSignature,
  verifyStandardSignature,
  type WebhookKey,
} from '@sealpost/crypto'
import { instant, Secret } from '@sealpost/kernel'
import type { VectorCase } from '../vector-case.ts'
import { expectSame, named } from './crypto-expectations.ts'

export interface SignCase {
  readonly name: string
  readonly secrets: readonly string[]
  readonly id: string
  readonly timestamp: number
  readonly body: string
  readonly platform: string
  readonly standard: string
}

interface VerifyCase {
  readonly name: string
  readonly secrets: readonly string[]
  readonly signature: string | null
  readonly body: string
  readonly refusal?: string
}

interface StandardCase extends VerifyCase {
  readonly id: string | null
  readonly timestamp: string | null
  readonly now: number
}

/** Everything in `vectors/webhook-signatures.json`. */
export function webhookSignatureCases(file: unknown): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of another shape fails its cases
  const vectors = file as {
    readonly sign: readonly SignCase[]
    readonly verify_platform: readonly VerifyCase[]
    readonly verify_standard: readonly StandardCase[]
  }
  const platform = createCryptoPlatform(globalThis)
  return [
    ...named('sign', vectors.sign, (found) => checkSign(platform, found)),
    ...named('verify x-platform-signature', vectors.verify_platform, async (found) => {
      const keys = await importAll(platform, found.secrets)
      const verdict = await verifyPlatformSignature(platform, keys, found.signature, bytesOf(platform, found.body))
      expectSame('refusal', verdict.ok ? undefined : verdict.refusal, found.refusal)
    }),
    ...named('verify webhook-signature', vectors.verify_standard, async (found) => {
      const keys = await importAll(platform, found.secrets)
      const now = instant(found.now * 1000)
      const verdict = await verifyStandardSignature(platform, keys, found, bytesOf(platform, found.body), { now })
      expectSame('refusal', verdict.ok ? undefined : verdict.refusal, found.refusal)
    }),
  ]
}

async function checkSign(platform: CryptoPlatform, found: SignCase): Promise<void> {
  const [newest, previous] = await importAll(platform, found.secrets)
  if (newest === undefined) throw new Error('the case has no secret')
  const signatures = await signWebhook(platform, previous === undefined ? [newest] : [newest, previous], {
    id: found.id,
    timestampSeconds: found.timestamp,
    body: bytesOf(platform, found.body),
  })
  expectSame('X-Platform-Signature', signatures.platform, found.platform)
  expectSame('webhook-signature', signatures.standard, found.standard)
}

async function importAll(platform: CryptoPlatform, secrets: readonly string[]): Promise<readonly WebhookKey[]> {
  const imported = await Promise.all(secrets.map((secret) => importWebhookSecret(platform, new Secret(secret))))
  return imported.map((result) => {
    if (!result.ok) throw new Error(`the secret was refused: ${result.refusal}`)
    return result.value
  })
}

function bytesOf({ utf8 }: CryptoPlatform, body: string) {
  return utf8.encode(body) ?? new Uint8Array()
}
