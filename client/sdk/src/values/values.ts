import { isAttested } from '@sealpost/crypto'
import { instant } from '@sealpost/kernel'
import { hostPlatform } from '../keys/host.ts'
import type { ServiceKey } from '../keys/private-keys.ts'
import { SealingError, type SealingRefusal } from '../keys/sealing-error.ts'
import type { FieldTypes, ValueProblem } from './field-types.ts'
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
}

/** A value of a connection, or an event about one. */
export interface ValueMembers extends AttestationMembers {
  /** A sealed text; absent for files. */
  readonly value?: string | null
  /** Only for files. */
  readonly value_url?: string | null
  readonly live?: boolean
  readonly updated_at?: string
  readonly content_sha256?: string | null
  readonly expired?: boolean
  readonly expired_at?: string | null
}

/** The values and field types of a connection record. */
export interface ConnectionMembers {
  readonly values: Readonly<Record<string, ValueMembers>>
  readonly fields: readonly { readonly slug: string; readonly type: string }[]
}

/** `not_attested`: no valid attestation covers this exact text. It does not mean that the text is wrong. */
export type Attestedness = 'attested' | 'not_attested'

/** A decrypted text. */
export type PlainValue = TypedValue & {
  /** Exactly what the person's device sealed. */
  readonly text: string
  readonly attestation: Attestedness
  /** Where the text does not fit its type: the platform could not validate it. */
  readonly problems: readonly ValueProblem[]
}

export type DecryptedValue =
  | (PlainValue & ValueFacts)
  /** Read it with `files.read(valueUrl, key)`; `valueUrl` is null for a one-time file that has expired. */
  | ({ readonly kind: 'file'; readonly valueUrl: string | null; readonly sha256: string | null } & ValueFacts)
  /** Sealed to another key, or by a faulty device. The other values of the connection are not affected. */
  | ({ readonly kind: 'unreadable'; readonly refusal: SealingRefusal; readonly message: string } & ValueFacts)

export interface ValueFacts {
  readonly type: string
  /** False for a one-time snapshot. */
  readonly live: boolean
  readonly updatedAt: string | null
}

/** Decrypts and checks shared values, without any request besides the registry's. */
export class Values {
  readonly #types: () => Promise<FieldTypes>
  readonly #now: () => number

  constructor(types: () => Promise<FieldTypes>, now: () => number) {
    this.#types = types
    this.#now = now
  }

  /** Every value of a connection, by slug. One that cannot be opened is `unreadable`; the others are not affected. */
  async decrypt(connection: ConnectionMembers, key: ServiceKey): Promise<Readonly<Record<string, DecryptedValue>>> {
    const types = await this.#types()
    const typeOf = new Map(connection.fields.map(({ slug, type }) => [slug, type]))
    const opened = Object.entries(connection.values).map(async ([slug, value]) => {
      const type = typeOf.get(slug) ?? ''
      return [slug, await this.#open(types, value, type, key)] as const
    })
    return Object.fromEntries(await Promise.all(opened))
  }

  /** One sealed value, typed by the registry. Throws a `SealingError` when it cannot be opened. */
  async decryptValue(value: ValueMembers, type: string, key: ServiceKey): Promise<PlainValue> {
    return this.#plain(await this.#types(), value, type, key)
  }

  /** Whether a valid attestation covers this exact text. Give the text unchanged. */
  async verify(value: AttestationMembers, plaintext: string, now: Date = new Date(this.#now())): Promise<Attestedness> {
    const is = await isAttested(hostPlatform(), value, plaintext, instant(now.getTime()))
    return is ? 'attested' : 'not_attested'
  }

  async #open(types: FieldTypes, value: ValueMembers, type: string, key: ServiceKey): Promise<DecryptedValue> {
    const facts: ValueFacts = { type, live: value.live ?? true, updatedAt: value.updated_at ?? null }
    if (typeof value.value !== 'string') {
      const valueUrl = value.expired === true ? null : (value.value_url ?? null)
      return { kind: 'file', valueUrl, sha256: value.content_sha256 ?? null, ...facts }
    }
    try {
      return { ...(await this.#plain(types, value, type, key)), ...facts }
    } catch (error) {
      if (!(error instanceof SealingError)) throw error
      return { kind: 'unreadable', refusal: error.refusal, message: error.message, ...facts }
    }
  }

  async #plain(types: FieldTypes, value: ValueMembers, type: string, key: ServiceKey): Promise<PlainValue> {
    if (typeof value.value !== 'string') throw new TypeError('this value is a file: read it with files.read')
    const text = await key.open(value.value)
    const attestation = await this.verify(value, text)
    return { ...types.parse(type, text), text, attestation, problems: types.validate(type, text) }
  }
}
