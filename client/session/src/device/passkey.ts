import { FailureError } from '@sealpost/ui'
import { call } from '../commands.ts'
import type { PasskeyAssertion } from '../worker/commands/proof.ts'

/** What the PRF of a passkey is asked; the same on every device, so the same passkey gives the same secret. */
const PRF_INPUT = new TextEncoder().encode('sealpost unlock v1')

interface PrfResults {
  readonly prf?: { readonly enabled?: boolean; readonly results?: { readonly first?: BufferSource } }
}

/** Whether this browser can make a passkey on this device. */
export async function canUsePasskey(): Promise<boolean> {
  if (!('PublicKeyCredential' in globalThis)) return false
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()
}

/** Makes a passkey, has the platform trust it, and wraps the key of the account by it. */
export async function setUpPasskey(name: string): Promise<void> {
  const { challenge, publicKey } = await call('passkeyOptions')
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the platform answers the JSON form of WebAuthn
    publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: { ...options, extensions: { ...options.extensions, prf: { eval: { first: PRF_INPUT } } } },
    }),
  )
  const rpId = options.rp.id ?? location.hostname
  const created = secretOf(credential)
  // Some authenticators answer the PRF only when they are used, not when they are made.
  const secret = created ?? (isPrfEnabled(credential) ? await readPasskeySecret(credential.id, rpId) : null)
  if (secret === null) throw refusal('passkey_cannot_unlock')
  await call('addPasskey', { name, challenge, rpId, credential: publicMembers(credential), secret })
}

/** Asks the device for the secret of a passkey: with a fingerprint, a face or its PIN. */
export async function readPasskeySecret(credentialId: string, rpId: string): Promise<ArrayBuffer | null> {
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        rpId,
        // This signature is not checked: only the secret is wanted.
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        userVerification: 'required',
        allowCredentials: [{ type: 'public-key', id: fromBase64Url(credentialId) }],
        extensions: { prf: { eval: { first: PRF_INPUT } } },
      },
    }),
  )
  return secretOf(credential)
}

/** A signature of the passkey over a text; the platform checks it. */
export async function signByPasskey(
  { credentialId, rpId }: { readonly credentialId: string; readonly rpId: string },
  text: string,
): Promise<PasskeyAssertion> {
  const { id, rawId, response } = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        rpId,
        challenge: new TextEncoder().encode(text),
        userVerification: 'required',
        allowCredentials: [{ type: 'public-key', id: fromBase64Url(credentialId) }],
      },
    }),
  )
  if (!(response instanceof AuthenticatorAssertionResponse)) throw refusal('passkey_refused')
  return {
    id,
    rawId: toBase64Url(rawId),
    type: 'public-key',
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
    },
  }
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await ask().catch(() => null)
  if (credential instanceof PublicKeyCredential) return credential
  throw refusal('passkey_refused')
}

function secretOf(credential: PublicKeyCredential): ArrayBuffer | null {
  const first = prfOf(credential)?.results?.first
  if (first === undefined) return null
  const bytes = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first)
  return Uint8Array.from(bytes).buffer
}

function isPrfEnabled(credential: PublicKeyCredential): boolean {
  return prfOf(credential)?.enabled === true
}

function prfOf(credential: PublicKeyCredential): PrfResults['prf'] {
  const results: PrfResults = credential.getClientExtensionResults()
  return results.prf
}

/** Member by member: `toJSON` of a credential also holds the PRF result, which opens the account. */
function publicMembers({ id, rawId, response }: PublicKeyCredential) {
  if (!(response instanceof AuthenticatorAttestationResponse)) throw refusal('passkey_refused')
  return {
    id,
    rawId: toBase64Url(rawId),
    type: 'public-key' as const,
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      attestationObject: toBase64Url(response.attestationObject),
    },
  }
}

function refusal(key: string): FailureError {
  return new FailureError({ kind: 'own', key })
}

function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}
