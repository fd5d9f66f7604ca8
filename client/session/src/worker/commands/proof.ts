import type { AuthorizationApproval } from '@sealpost/sdk'
import { openDeviceSigner } from '@sealpost/vault'
import { refuseHere } from '@sealpost/web-app/worker'
import { type SessionContext, requireOpen } from '../context.ts'
import { importSigner, signWith } from './device-signer.ts'
import { openByPasscode } from './session.ts'

export type Assertion = NonNullable<AuthorizationApproval['secondFactor']>['assertion']
export type PasskeyAssertion = Extract<Assertion, { readonly rawId: string }>

/** How this device confirms; null until it has been set up. */
export type Confirmation =
  | { readonly kind: 'passkey'; readonly credentialId: string; readonly rpId: string }
  | { readonly kind: 'passcode' }

export async function readConfirmation(context: SessionContext): Promise<Confirmation | null> {
  const unlock = (await context.store.read())?.unlock ?? null
  if (unlock === null) return null
  if (unlock.kind === 'passcode') return { kind: 'passcode' }
  const { kind, credentialId, rpId } = unlock
  return { kind, credentialId, rpId }
}

/** What the person did on this device: a passkey has signed in the page, a passcode lets this worker sign. */
export type Proof = { readonly passkey: PasskeyAssertion } | { readonly passcode: string }

/** The signature of this device over a text. A passcode is tried first, as at an unlock. */
export async function assertionOf(context: SessionContext, proof: Proof, text: string): Promise<Assertion> {
  if ('passkey' in proof) return proof.passkey
  const { secret } = await openByPasscode(context, proof.passcode)
  const unlock = (await context.store.read())?.unlock
  if (unlock?.kind !== 'passcode') throw refuseHere('no_unlock')
  const pkcs8 = await openDeviceSigner(unlock.signer, secret)
  return { device_id: unlock.deviceId, signature: await signWith(await importSigner(pkcs8), text) }
}

/** A text of the platform that is valid once, and what this device made of it. */
export interface SignedProof {
  readonly challenge: string
  readonly by: Proof
}

/**
 * [Note: a signature for one purpose] This device signs ids of sign-ins, digests of documents and challenges of 32 random
 * bytes. The three look different, so a server cannot show one kind of question and get a signature for another.
 */
const CHALLENGE = /^[\w-]{43}$/
const CARD_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

export function requireChallenge(challenge: string): string {
  if (CHALLENGE.test(challenge)) return challenge
  throw refuseHere('strange_challenge')
}

/** See [Note: a signature for one purpose]. */
export function requireCardId(id: string): string {
  if (CARD_ID.test(id)) return id
  throw refuseHere('strange_challenge')
}

/** What the person has to confirm before connecting to a service that requires a second factor. */
export async function requestChallenge(context: SessionContext): Promise<string> {
  const { challenge } = await requireOpen(context).client.security.requestDeviceOptions({ kind: 'approval' })
  return requireChallenge(challenge)
}

export async function secondFactorOf(
  context: SessionContext,
  proof: SignedProof | null,
): Promise<Pick<AuthorizationApproval, 'secondFactor'>> {
  if (proof === null) return {}
  const { by } = proof
  const challenge = requireChallenge(proof.challenge)
  return { secondFactor: { challenge, assertion: await assertionOf(context, by, challenge) } }
}
