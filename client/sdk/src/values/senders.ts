import { type SignedValue, verifyValue } from '@sealpost/crypto'
import { hostPlatform } from '../keys/host.ts'
import type { KeyPins } from '../keys/pins.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { UntrustedAnswerError } from '../untrusted.ts'

/**
 * `signed`: the customer's device sealed it for this field of this connection. `unsigned`: the connection has shown no
 * signature yet, or the value is an answer of a run, so the platform could have made it itself. `unchecked`: the value was
 * given without its connection and slug.
 */
export type Authenticity = 'signed' | 'unsigned' | 'unchecked'

/** A sealed value with the place where the server shows it. */
export interface ShownValue {
  readonly connectionId: string
  readonly slug: string
  readonly wrapper: string
  readonly signature: string | null
  /** A run of a flow has brought it: answers of runs are not signed. */
  readonly isFromFlow?: boolean
}

export interface SenderRules {
  /** Refuse values without a signature also in connections that never had one. */
  readonly requireSignatures: boolean
  /** Earlier slugs of a request field that you have renamed: its values were signed with those. */
  readonly formerSlugs: Readonly<Record<string, readonly string[]>>
}

/**
 * Verifies the signatures of values against the signer of their connection. The first signature of a
 * connection pins its signer; from then on every value needs one, so leaving them out gains nothing. The time of the last
 * value of each slot is pinned, too: an older one is a replay. An answer of a run is `unsigned`, and never replaces a
 * signed value.
 */
export class Senders {
  readonly #pins: KeyPins
  readonly #rules: SenderRules

  constructor(pins: KeyPins, rules: SenderRules) {
    this.#pins = pins
    this.#rules = rules
  }

  /** Throws an `UntrustedAnswerError` for a value that the pinned signer did not sign for this place. */
  async check(shown: ShownValue, key: ServiceKey): Promise<'signed' | 'unsigned'> {
    const { connectionId, slug, signature } = shown
    const subject = `connection ${connectionId}, ${slug}`
    const pinned = await this.#pins.get(signerName(connectionId))
    const isPinned = pinned !== undefined && pinned !== FORGOTTEN
    if (signature === null) {
      const mayLack = !isPinned || (shown.isFromFlow === true && !(await this.#hasSigned(connectionId, slug)))
      if (!mayLack || this.#rules.requireSignatures) throw new UntrustedAnswerError('signature_missing', subject)
      return 'unsigned'
    }
    const signed = await this.#verify(shown, signature, key, subject)
    const signer = `${signed.binding}.${signed.signer}`
    if (isPinned && pinned !== signer) throw new UntrustedAnswerError('sender_changed', subject)
    if (!isPinned) await this.#pins.set(signerName(connectionId), signer)
    await this.#refuseReplay(connectionId, slug, signed, subject)
    return 'signed'
  }

  /**
   * Whether the values of a connection that was never seen name more than one signer: none of them can be told from the
   * true one, so none is pinned.
   */
  async isMixed(connectionId: string, signatures: readonly string[]): Promise<boolean> {
    const pinned = await this.#pins.get(signerName(connectionId))
    if (pinned !== undefined && pinned !== FORGOTTEN) return false
    return new Set(signatures.map(signerIn)).size > 1
  }

  /**
   * A file in the clear, which the platform makes from the customer's field: it has no signature. One with a signature was
   * sealed by the customer, so the clear one is an exchange.
   */
  checkClear({ connectionId, slug, signature }: Omit<ShownValue, 'wrapper'>): 'unsigned' {
    const subject = `connection ${connectionId}, ${slug}`
    if (signature !== null) throw new UntrustedAnswerError('signature_mismatch', subject)
    if (this.#rules.requireSignatures) throw new UntrustedAnswerError('signature_missing', subject)
    return 'unsigned'
  }

  /** The next signature of the connection pins its signer again. */
  async forget(connectionId: string): Promise<void> {
    await this.#pins.set(signerName(connectionId), FORGOTTEN)
  }

  async #verify(shown: ShownValue, signature: string, key: ServiceKey, subject: string): Promise<SignedValue> {
    const slugs = [shown.slug, ...(this.#rules.formerSlugs[shown.slug] ?? [])]
    let refusal: 'signature_malformed' | 'signature_mismatch' = 'signature_mismatch'
    for (const slug of slugs) {
      const place = { recipient: key.fingerprint, slug }
      const verified = await verifyValue(hostPlatform(), signature, place, shown.wrapper)
      if (verified.ok) return verified.value
      if (verified.refusal === 'signature_malformed') refusal = verified.refusal
    }
    throw new UntrustedAnswerError(refusal, subject)
  }

  /** A signed value is not replaced by one that only claims to come from a run. */
  async #hasSigned(connectionId: string, slug: string): Promise<boolean> {
    return (await this.#pins.get(valueName(connectionId, slug))) !== undefined
  }

  async #refuseReplay(connectionId: string, slug: string, signed: SignedValue, subject: string): Promise<void> {
    const name = valueName(connectionId, slug)
    const own = `${signed.time}.${signed.digest}`
    const last = await this.#pins.get(name)
    if (last === own) return
    const lastTime = Number(last?.split('.')[0] ?? -1)
    if (signed.time <= lastTime) throw new UntrustedAnswerError('replayed', subject)
    await this.#pins.set(name, own)
  }
}

const FORGOTTEN = 'forgotten'

/** Binding and key, as the signature itself states them. */
function signerIn(signature: string): string {
  const [, binding = '', , signer = ''] = signature.split('.')
  return `${binding}.${signer}`
}

function valueName(connectionId: string, slug: string): string {
  return `value:${connectionId}:${slug}`
}

function signerName(connectionId: string): string {
  return `sender:${connectionId}`
}
