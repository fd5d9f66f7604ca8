import type { UserId } from '@sealpost/kernel'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { WebAuthnSite } from '../../context.ts'
import type { SigningDevice } from '../store/devices.ts'

/** ES256, RS256 and Ed25519: the algorithms of platform authenticators. */
const ALGORITHMS = [-7, -257, -8]
const TIMEOUT_MS = 300_000

export interface PasskeyOwner {
  readonly userId: UserId
  readonly email: string
  readonly displayName: string
}

/** The argument of `navigator.credentials.create`: a credential of this device, unlocked by its user. */
export async function creationOptions(
  site: WebAuthnSite,
  owner: PasskeyOwner,
  challenge: string,
  known: readonly SigningDevice[],
): Promise<Record<string, unknown>> {
  const options = await generateRegistrationOptions({
    rpName: 'Sealpost',
    rpID: site.rpId,
    userID: Uint8Array.from(Buffer.from(owner.userId)),
    userName: owner.email,
    userDisplayName: owner.displayName,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(known),
    authenticatorSelection: {
      authenticatorAttachment: 'platform',
      residentKey: 'preferred',
      userVerification: 'required',
    },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  return { ...options }
}

/** The argument of `navigator.credentials.get`, for any of the known devices. */
export async function requestOptions(
  site: WebAuthnSite,
  challenge: string,
  known: readonly SigningDevice[],
): Promise<Record<string, unknown>> {
  const options = await generateAuthenticationOptions({
    rpID: site.rpId,
    challenge: bytesOf(challenge),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: descriptorsOf(known),
  })
  return { ...options }
}

export interface PasskeyCredential {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[]
  }
}

/** The key of a credential that answers this challenge for this site with its user verified, else null. */
export async function readNewPasskey(
  site: WebAuthnSite,
  challenge: string,
  { id, rawId, type, response }: PasskeyCredential,
): Promise<Omit<SigningDevice, 'id' | 'kind'> | null> {
  const { clientDataJSON, attestationObject, transports = [] } = response
  const verified = await quietly(() =>
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: encode(challenge),
      expectedOrigin: [...site.origins],
      expectedRPID: site.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (verified === null || !verified.verified) return null
  const { credential } = verified.registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  return { credentialId, publicKey: credential.publicKey, signCount: credential.counter, transports }
}

export interface PasskeyAssertion {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

/** The new value of the device's counter if it has signed this challenge with its user verified, else null. */
export async function readAssertion(
  site: WebAuthnSite,
  challenge: string,
  { id, rawId, type, response }: PasskeyAssertion,
  device: SigningDevice,
): Promise<number | null> {
  const verified = await quietly(() =>
    verifyAuthenticationResponse({
      response: { id, rawId, type, response: { ...response }, clientExtensionResults: {} },
      expectedChallenge: encode(challenge),
      expectedOrigin: [...site.origins],
      expectedRPID: site.rpId,
      requireUserVerification: true,
      credential: { id, publicKey: Uint8Array.from(device.publicKey), counter: device.signCount },
    }),
  )
  return verified !== null && verified.verified ? verified.authenticationInfo.newCounter : null
}

/** The library throws for any mismatch; the caller gets null. */
async function quietly<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify()
  } catch {
    return null
  }
}

function descriptorsOf(devices: readonly SigningDevice[]): { id: string; transports: string[] }[] {
  return devices.flatMap(({ credentialId, transports }) =>
    credentialId === null ? [] : [{ id: Buffer.from(credentialId).toString('base64url'), transports: [...transports] }],
  )
}

/** A challenge is text; an authenticator signs its bytes, which WebAuthn encodes in base64url. */
function bytesOf(challenge: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(challenge))
}

function encode(challenge: string): string {
  return Buffer.from(challenge).toString('base64url')
}
