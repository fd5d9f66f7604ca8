import type { AuthorizationApproval } from '@sealpost/sdk'
import { type PersonContext, refuseHere } from '../context.ts'
import { openByPasscode } from './session.ts'

export type Assertion = NonNullable<AuthorizationApproval['secondFactor']>['assertion']
export type PasskeyAssertion = Extract<Assertion, { readonly rawId: string }>

/** How this device confirms; null until it has been set up. */
export type Confirmation =
  | { readonly kind: 'passkey'; readonly credentialId: string; readonly rpId: string }
  | { readonly kind: 'passcode' }

export async function readConfirmation(context: PersonContext): Promise<Confirmation | null> {
  const unlock = (await context.store.read())?.unlock ?? null
  if (unlock === null) return null
  if (unlock.kind === 'passcode') return { kind: 'passcode' }
  const { kind, credentialId, rpId } = unlock
  return { kind, credentialId, rpId }
}

/** What the person did on this device: a passkey has signed in the page, a passcode lets this worker sign. */
export type Proof = { readonly passkey: PasskeyAssertion } | { readonly passcode: string }

/** The signature of this device over a text. A passcode is tried first, as at an unlock. */
export async function assertionOf(context: PersonContext, proof: Proof, text: string): Promise<Assertion> {
  if ('passkey' in proof) return proof.passkey
  await openByPasscode(context, proof.passcode)
  const unlock = (await context.store.read())?.unlock
  if (unlock?.kind !== 'passcode') throw refuseHere('no_unlock')
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    unlock.signer,
    new TextEncoder().encode(text),
  )
  return { device_id: unlock.deviceId, signature: btoa(String.fromCharCode(...new Uint8Array(signature))) }
}
