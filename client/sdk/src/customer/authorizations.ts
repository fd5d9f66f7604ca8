import { pinKey } from '../keys/pins.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { completeAuthorization, startAuthorization } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type {
  CompleteAuthorizationAnswer,
  CompleteAuthorizationBody,
  StartAuthorizationAnswer,
  StartAuthorizationQuery,
} from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { plaintextOf, type PlainInput } from '../values/plain-input.ts'
import type { ContactData, ContactValue } from './contact-data.ts'
import { type ConnectOptions, type CustomerAnswers, secondFactorMembers, sendSealed } from './decisions.ts'
import { askingOf } from './offers.ts'
import type { CustomerSession } from './session.ts'

/** The members of an authorize request, as they stand in the address of the consent page. */
export type AuthorizationRequest = StartAuthorizationQuery

/** Who asks for what, and how the person stands to the service. */
export type AuthorizationRecord = StartAuthorizationAnswer

/** The person's answer to a claim: a value of the own profile, or another one. */
export type ClaimAnswer = { readonly from: string } | { readonly value: PlainInput }

export interface AuthorizationApproval extends ConnectOptions {
  /** By the name of the claim. */
  readonly claims?: Readonly<Record<string, ClaimAnswer>>
  /** By slug, where the request also connects. */
  readonly fields?: CustomerAnswers
  /**
   * The person agreed, in a step of its own, that this app gets its claims as text, which the platform could read. It is
   * remembered until the app takes sealed claims again; without it nothing is sent as text.
   */
  readonly allowPlaintext?: boolean
}

/** `was_sealed`: this app has taken sealed claims until now. */
export type ClaimsDelivery = 'sealed' | 'agreed_text' | 'text' | 'was_sealed'

/** Requests of sign-in apps and services to a person; the consent page answers them at the front door. Persons only. */
export class Authorizations {
  readonly #sendToFrontDoor: Send
  readonly #session: CustomerSession
  readonly #contactData: ContactData

  constructor(sendToFrontDoor: Send, session: CustomerSession, contactData: ContactData) {
    this.#sendToFrontDoor = sendToFrontDoor
    this.#session = session
    this.#contactData = contactData
  }

  read(request: AuthorizationRequest, options?: CallOptions): Promise<AuthorizationRecord> {
    return this.#sendToFrontDoor(startAuthorization, { query: request }, options)
  }

  /** How the claims of this request would travel; the last two need `allowPlaintext`. */
  async delivery({ app, mode }: AuthorizationRecord): Promise<ClaimsDelivery> {
    if (app.claims_delivery !== 'plaintext' || mode !== 'signin') return 'sealed'
    const pinned = await this.#session.pins.get(deliveryPin(app.client_id))
    if (pinned === 'plaintext') return 'agreed_text'
    return pinned === undefined ? 'text' : 'was_sealed'
  }

  /**
   * Seals the claims to the app and the fields to its service, then consents. `record` is the one that the person was
   * shown: what the server says afterwards does not decide how values are sealed.
   */
  async approve(
    request: AuthorizationRequest,
    record: AuthorizationRecord,
    { claims = {}, fields = {}, allowPlaintext = false, ...options }: AuthorizationApproval = {},
  ): Promise<CompleteAuthorizationAnswer> {
    const about = {
      decision: 'approve',
      ...(await this.#sealClaims(record, claims, allowPlaintext, options)),
      ...secondFactorMembers(options),
    } as const
    const { offer } = record
    if (offer === null) return this.#send({ ...request, ...about }, options)
    const code = `${offer.company.share_code}/${offer.service.code}`
    const asking = await askingOf(this.#session, code, fields, options)
    const shown = { shown: offer.request_fields, ...options }
    const { answer } = await sendSealed(this.#session, this.#contactData, asking, fields, shown, (members) =>
      this.#send({ ...request, ...about, ...members }, options),
    )
    return answer
  }

  deny(request: AuthorizationRequest, options?: CallOptions): Promise<CompleteAuthorizationAnswer> {
    return this.#send({ ...request, decision: 'deny' }, options)
  }

  #send(body: CompleteAuthorizationBody, options?: CallOptions): Promise<CompleteAuthorizationAnswer> {
    return this.#sendToFrontDoor(completeAuthorization, { body }, options)
  }

  async #sealClaims(
    record: AuthorizationRecord,
    answers: Readonly<Record<string, ClaimAnswer>>,
    allowPlaintext: boolean,
    options: CallOptions,
  ): Promise<Pick<CompleteAuthorizationBody, 'values' | 'values_attestation'>> {
    if (Object.keys(answers).length === 0) return {}
    const { app, claims } = record
    const { client_id: clientId, public_key: publicKey } = app
    if (publicKey === null) throw new TypeError(`${clientId} has no key that values could be sealed to`)
    await pinKey(this.#session.pins, `app:${clientId}`, publicKey)
    const key = await PublicKey.import(publicKey)
    const isPlain = await this.#agreeOnDelivery(record, allowPlaintext)
    const values: Record<string, string> = {}
    const attestations: Record<string, string> = {}
    for (const [name, answer] of Object.entries(answers)) {
      const claim = claims.find((asked) => asked.name === name)
      if (claim === undefined) throw new TypeError(`${clientId} does not ask for ${name}`)
      const { text, attestation } = await this.#claimText(claim, answer, options)
      values[name] = isPlain ? text : await key.seal(text)
      if (claim.verified && attestation !== null) attestations[name] = await key.seal(JSON.stringify(attestation))
    }
    return { values, ...(Object.keys(attestations).length === 0 ? {} : { values_attestation: attestations }) }
  }

  /** Whether the app gets text. What the server says about the app can only make this client seal more. */
  async #agreeOnDelivery(record: AuthorizationRecord, allowPlaintext: boolean): Promise<boolean> {
    const { client_id: clientId, claims_delivery: delivery } = record.app
    const { pins } = this.#session
    const found = await this.delivery(record)
    if (found === 'sealed') {
      if (delivery === 'encrypted') await pins.set(deliveryPin(clientId), 'encrypted')
      return false
    }
    if (found !== 'agreed_text' && !allowPlaintext) throw new UntrustedAnswerError('plaintext_not_agreed', clientId)
    await pins.set(deliveryPin(clientId), 'plaintext')
    return true
  }

  async #claimText(
    { name, type }: { readonly name: string; readonly type: string },
    answer: ClaimAnswer,
    options: CallOptions,
  ) {
    if ('value' in answer) {
      const types = await this.#session.types(options)
      return { text: plaintextOf(types, { what: name, type, isExact: false }, answer.value), attestation: null }
    }
    const value = await this.#contactData.get(answer.from, options)
    return { text: await this.#contactData.textOf(value, options), attestation: attestationOf(value) }
  }
}

function deliveryPin(clientId: string): string {
  return `app-delivery:${clientId}`
}

/** As apps read it: the hash covers exactly the text of the value. */
function attestationOf(value: ContactValue): Readonly<Record<string, string>> | null {
  const { verified_hash: hash, verified_salt: salt, verified_at, verified_expires_at, verified_method } = value
  const { verified_provider, verification_id } = value
  if (hash === undefined || salt === undefined || verified_at === undefined) return null
  const further = { verified_expires_at, verified_method, verified_provider, verification_id }
  const given = Object.entries(further).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return { hash, salt, verified_at, ...Object.fromEntries(given) }
}
