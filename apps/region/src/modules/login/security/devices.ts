import { type Instant, instant, type Secret, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findAccount } from '../../account/index.ts'
import type { LoginNeeds } from '../needs.ts'
import { MOST_BROWSERS } from '../open-session.ts'
import { endFamilies, spreadRevocations } from '../sessions.ts'
import { isSignedBy, parseDeviceKey } from './device-key.ts'
import type { SecurityNeeds } from './needs.ts'
import { wrongMember } from './refusals.ts'
import { provePassword } from './second-factor.ts'
import {
  type ChallengeKind,
  deleteDevice,
  type Device,
  insertChallenge,
  insertSigningDevice,
  listDevices,
  listSigningDevices,
  type SigningDevice,
  takeChallenge,
} from './store/devices.ts'
import { creationOptions, type PasskeyCredential, readNewPasskey, requestOptions } from './webauthn.ts'

const CHALLENGE_MS = 5 * 60_000
/** More than anybody has; a list is read at once. Browsers that are trusted later come on top. */
const MOST_DEVICES = 100

export async function listTrustedDevices(needs: LoginNeeds, userId: UserId): Promise<readonly Device[]> {
  return needs.database.read((read) => listDevices(read, userId, needs.clock.now(), MOST_DEVICES + MOST_BROWSERS))
}

export interface DeviceChallenge {
  readonly challenge: string
  /** For the browser's WebAuthn call; null for a device key. */
  readonly options: Record<string, unknown> | null
}

/** A challenge that is good once: to add a device, or to approve something that has no id of its own to sign. */
export async function issueChallenge(
  needs: SecurityNeeds,
  userId: UserId,
  kind: ChallengeKind,
): Promise<DeviceChallenge> {
  const challenge = needs.ids.clientSecret()
  const now = needs.clock.now()
  const { account, known } = await needs.database.transaction(async (tx) => {
    await insertChallenge(tx, userId, challenge, kind, now, instant(now + CHALLENGE_MS))
    return { account: await findAccount(tx, userId), known: await listSigningDevices(tx, userId) }
  })
  if (account === null) throw refuse('auth.token_invalid')
  if (kind === 'device_key') return { challenge, options: null }
  if (kind === 'approval') return { challenge, options: await requestOptions(needs.webAuthn, challenge, known) }
  return { challenge, options: await creationOptions(needs.webAuthn, { userId, ...account }, challenge, known) }
}

export interface NewDevice {
  readonly verifier: Secret<string>
  readonly name: string
  readonly challenge: string
  readonly proof:
    | { readonly kind: 'passkey'; readonly credential: PasskeyCredential }
    | { readonly kind: 'device_key'; readonly publicKey: string; readonly signature: string }
}

/** Needs the password again: a stolen token must not be enough to approve things for ever. */
export async function addDevice(needs: SecurityNeeds, userId: UserId, fresh: NewDevice): Promise<Device> {
  await provePassword(needs, userId, fresh.verifier)
  const now = needs.clock.now()
  const { kind } = fresh.proof
  const isOurs = await needs.database.transaction((tx) => takeChallenge(tx, userId, fresh.challenge, kind, now))
  if (!isOurs) throw wrongMember('/challenge', 'is not one of ours, or was used, or is too old; ask for a new one')
  const key = await readNewKey(needs, fresh)
  const device = { id: needs.ids.uuid(), kind, ...key }
  await storeDevice(needs, userId, fresh.name.trim(), device, now)
  return { id: device.id, kind, name: fresh.name.trim(), createdAt: now, seenAt: now, expiresAt: null }
}

async function storeDevice(
  { database }: LoginNeeds,
  userId: UserId,
  name: string,
  device: SigningDevice,
  now: Instant,
): Promise<void> {
  await database.transaction(async (tx) => {
    const known = await listDevices(tx, userId, now, MOST_DEVICES)
    if (known.length >= MOST_DEVICES) throw wrongMember('', 'this account has as many devices as it can; remove some')
    const isNew = await insertSigningDevice(tx, userId, name, device, now)
    if (!isNew) throw wrongMember('/credential', 'is registered already')
  })
}

async function readNewKey({ webAuthn }: SecurityNeeds, { proof, challenge }: NewDevice) {
  if (proof.kind === 'passkey') {
    const passkey = await readNewPasskey(webAuthn, challenge, proof.credential)
    if (passkey === null) throw wrongMember('/credential', 'was not made here for this challenge by a verified user')
    return passkey
  }
  const publicKey = parseDeviceKey(proof.publicKey)
  if (publicKey === null) throw wrongMember('/public_key', 'is not base64 of a P-256 SubjectPublicKeyInfo')
  const isSigned = isSignedBy(publicKey, challenge, proof.signature)
  if (!isSigned) throw wrongMember('/signature', 'is not the ES256 signature of this key over the challenge')
  return { credentialId: null, publicKey, signCount: 0, transports: [] }
}

/**
 * False when this account has no such device. Resolves when no session that was opened with it is accepted anywhere;
 * when it rejects, the device is gone and repeating the call goes on with its sessions.
 */
export async function removeDevice(needs: LoginNeeds, userId: UserId, id: string): Promise<boolean> {
  const { isRemoved, families } = await needs.database.transaction(async (tx) => {
    // The device first: a login that names it has then either committed, and is ended below, or finds it gone.
    const deleted = await deleteDevice(tx, userId, id)
    return { isRemoved: deleted, families: await endFamilies(needs, tx, userId, { deviceId: id }) }
  })
  await spreadRevocations(needs, families)
  return isRemoved || families.length > 0
}
