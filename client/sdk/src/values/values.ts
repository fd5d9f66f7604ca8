import { isAttested, openStatement } from '@sealpost/crypto'
import { instant } from '@sealpost/kernel'
import { hostPlatform } from '../keys/host.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { SealingError, type SealingRefusal } from '../keys/sealing-error.ts'
import type { VerifierKey } from '../options.ts'
import { UntrustedAnswerError, type UntrustedReason } from '../untrusted.ts'
import type { FieldTypes, ValueProblem } from './field-types.ts'
import type { Authenticity, Senders } from './senders.ts'
import type { TypedValue } from './typed-value.ts'

/** The members of an attestation in a value or an event. */
export interface AttestationMembers {
  readonly verified_hash?: string | null
  readonly verified_salt?: string | null
  readonly verified_at?: string | null
  readonly verified_expires_at?: string | null
  readonly verified_method?: string | null
  readonly verified_provider?: string | null
  readonly verification_id?: string | null
  /** The statement that the provider signed. */
  readonly verified_statement?: string | null
}

/** A value of a connection, or an event about one. */
export interface ValueMembers extends AttestationMembers {
  /** A sealed text; absent for files, null in an event whose value is gone at delivery. */
  readonly value?: string | null
  /** Only for files. */
  readonly value_url?: string | null
  readonly live?: boolean
  readonly updated_at?: string
  readonly content_sha256?: string | null
  readonly expired?: boolean
  readonly expired_at?: string | null
  /** Of the customer's device. */
  readonly sender_signature?: string | null
  /** Set for a value that a run of this flow has brought; such values have no signature. */
  readonly flow_id?: string | null
  /** Events have both; for a value of a connection give them to `decryptValue`. */
  readonly connection_id?: string | null
  readonly slug?: string
}

/** The place of a value: a signature is valid for one place only. */
export interface ValuePlace {
  readonly connectionId: string
  readonly slug: string
}

/** The values and field types of a connection record. */
export interface ConnectionMembers {
  readonly id: string
  readonly values: Readonly<Record<string, ValueMembers>>
  readonly fields: readonly { readonly slug: string; readonly type: string }[]
}

/** `not_attested`: no valid attestation covers this exact text. It does not mean that the text is wrong. */
export type Attestedness = 'attested' | 'not_attested'

/**
 * `verifier`: the provider's own signature was verified with the key that you gave. `platform`: the platform says so, and
 * only the hash was verified.
 */
export type AttestedBy = 'verifier' | 'platform'

/** A decrypted text. */
export type PlainValue = TypedValue & {
  /** Exactly what the person's device sealed. */
  readonly text: string
  readonly attestation: Attestedness
  /** Null when not attested. */
  readonly attestedBy: AttestedBy | null
  readonly authenticity: Authenticity
  /** Where the text does not fit its type: the platform could not validate it. */
  readonly problems: readonly ValueProblem[]
}

export type DecryptedValue =
  | (PlainValue & ValueFacts)
  /** Read it with `files.read(valueUrl, key)`; `valueUrl` is null for a one-time file that has expired. */
  | ({ readonly kind: 'file'; readonly valueUrl: string | null; readonly sha256: string | null } & ValueFacts)
  /** Sealed to another key, or by a faulty device. The other values of the connection are not affected. */
  | ({ readonly kind: 'unreadable'; readonly refusal: SealingRefusal; readonly message: string } & ValueFacts)
  /** Not from the customer, or not for this field: the platform or a part on the way exchanged, repeated or made it. */
  | ({ readonly kind: 'refused'; readonly reason: UntrustedReason; readonly message: string } & ValueFacts)

export interface ValueFacts {
  readonly type: string
  /** False for a one-time snapshot. */
  readonly live: boolean
  readonly updatedAt: string | null
}

export interface ValueRules {
  readonly now: () => number
  readonly senders: Senders
  /** Keys of verification providers, by `verified_provider`. */
  readonly verifiers: Readonly<Record<string, readonly VerifierKey[]>>
}

/** Decrypts and checks shared values, without any request besides the registry's. */
export class Values {
  readonly #types: () => Promise<FieldTypes>
  readonly #rules: ValueRules

  constructor(types: () => Promise<FieldTypes>, rules: ValueRules) {
    this.#types = types
    this.#rules = rules
  }

  /**
   * Every value of a connection, by slug. One that cannot be opened is `unreadable`, one that its sender did not sign for
   * this place is `refused`; the others are not affected.
   */
  async decrypt(connection: ConnectionMembers, key: ServiceKey): Promise<Readonly<Record<string, DecryptedValue>>> {
    const types = await this.#types()
    const typeOf = new Map(connection.fields.map(({ slug, type }) => [slug, type]))
    // A signed value first: it decides whether the others must be signed.
    const entries = Object.entries(connection.values).toSorted(
      ([, one], [, other]) => Number(isUnsigned(one)) - Number(isUnsigned(other)),
    )
    const signatures = entries.flatMap(([, value]) => value.sender_signature ?? [])
    const isMixed = await this.#rules.senders.isMixed(connection.id, signatures)
    const opened: Record<string, DecryptedValue> = {}
    for (const [slug, value] of entries) {
      const place = { connectionId: connection.id, slug }
      if (isMixed && typeof value.value === 'string') {
        const { reason, message } = new UntrustedAnswerError('sender_changed', `connection ${connection.id}, ${slug}`)
        opened[slug] = { kind: 'refused', reason, message, ...factsOf(value, typeOf.get(slug) ?? '') }
        continue
      }
      opened[slug] = await this.#open(types, { value, type: typeOf.get(slug) ?? '', place }, key)
    }
    return opened
  }

  /**
   * One sealed value, typed by the registry. Throws a `SealingError` when it cannot be opened, and an
   * `UntrustedAnswerError` when its sender did not sign it for this place. An event has its place; for a value of a
   * connection give it, or the sender stays `unchecked`.
   */
  async decryptValue(value: ValueMembers, type: string, key: ServiceKey, place?: ValuePlace): Promise<PlainValue> {
    return this.#plain(await this.#types(), { value, type, place: place ?? placeOf(value) }, key)
  }

  /** Whether a valid attestation covers this exact text. Give the text unchanged. */
  async verify(
    value: AttestationMembers,
    plaintext: string,
    now: Date = new Date(this.#rules.now()),
  ): Promise<Attestedness> {
    return (await this.#attest(value, plaintext, now)) === null ? 'not_attested' : 'attested'
  }

  /**
   * Accepts another signer in this connection: only after the customer has told you, on another way than this platform,
   * that a device or a record was lost.
   */
  forgetSender(connectionId: string): Promise<void> {
    return this.#rules.senders.forget(connectionId)
  }

  async #open(types: FieldTypes, given: GivenValue, key: ServiceKey): Promise<DecryptedValue> {
    const { value, type } = given
    const facts = factsOf(value, type)
    if (typeof value.value !== 'string') {
      const valueUrl = value.expired === true ? null : (value.value_url ?? null)
      return { kind: 'file', valueUrl, sha256: value.content_sha256 ?? null, ...facts }
    }
    try {
      return { ...(await this.#plain(types, given, key)), ...facts }
    } catch (error) {
      if (error instanceof UntrustedAnswerError)
        return { kind: 'refused', reason: error.reason, message: error.message, ...facts }
      if (!(error instanceof SealingError)) throw error
      return { kind: 'unreadable', refusal: error.refusal, message: error.message, ...facts }
    }
  }

  async #plain(types: FieldTypes, { value, type, place }: GivenValue, key: ServiceKey): Promise<PlainValue> {
    if (typeof value.value !== 'string') throw unopenable(value)
    const isFromFlow = typeof value.flow_id === 'string'
    const shown = { wrapper: value.value, signature: value.sender_signature ?? null, isFromFlow }
    const text = await key.open(value.value)
    const authenticity = place === null ? 'unchecked' : await this.#rules.senders.check({ ...place, ...shown }, key)
    const attestedBy = await this.#attest(value, text, new Date(this.#rules.now()))
    const attestation = attestedBy === null ? 'not_attested' : 'attested'
    const problems = types.validate(type, text)
    return { ...types.parse(type, text), text, attestation, attestedBy, authenticity, problems }
  }

  /** With a key of the provider, its own statement counts and nothing that the platform says about it. */
  async #attest(value: AttestationMembers, plaintext: string, now: Date): Promise<AttestedBy | null> {
    const at = instant(now.getTime())
    const keys = this.#rules.verifiers[value.verified_provider ?? '']
    if (keys === undefined) return (await isAttested(hostPlatform(), value, plaintext, at)) ? 'platform' : null
    const stated = await openStatement(hostPlatform(), keys, value.verified_statement ?? '')
    if (stated === null) return null
    const members = {
      verified_hash: textOf(stated['hash']),
      verified_salt: textOf(stated['salt']),
      verified_expires_at: endOf(stated['expires_at']),
    }
    return (await isAttested(hostPlatform(), members, plaintext, at)) ? 'verifier' : null
  }
}

interface GivenValue {
  readonly value: ValueMembers
  readonly type: string
  readonly place: ValuePlace | null
}

function unopenable({ value, value_url: url = null }: ValueMembers): TypeError {
  if (value === null && url === null)
    return new TypeError('there is no value: the customer has deleted it since the event')
  return new TypeError('this value is a file: read it with files.read')
}

function factsOf(value: ValueMembers, type: string): ValueFacts {
  return { type, live: value.live ?? true, updatedAt: value.updated_at ?? null }
}

function placeOf({ connection_id: connectionId, slug }: ValueMembers): ValuePlace | null {
  if (typeof connectionId !== 'string' || slug === undefined) return null
  return { connectionId, slug }
}

function isUnsigned({ sender_signature: signature }: ValueMembers): boolean {
  return signature === undefined || signature === null
}

/** An end that is no text counts as passed. */
function endOf(member: unknown): string | null {
  return member === undefined || member === null ? null : (textOf(member) ?? '')
}

function textOf(member: unknown): string | null {
  return typeof member === 'string' ? member : null
}
