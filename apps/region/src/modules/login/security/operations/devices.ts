import { type Instant, instant, type Secret, type UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { findAccount } from '../../../account/index.ts'
import type { LoginContext } from '../../context.ts'
import { MAX_BROWSERS } from '../../operations/open-session.ts'
import { endFamilies, spreadRevocations } from '../../operations/sessions.ts'
import { bindSessionToDevice } from '../../store/sessions.ts'
import { wrongMember } from '../rules/refusals.ts'
import {
  type ChallengeKind,
  deleteDevice,
  type Device,
  findDevice,
  insertChallenge,
  insertSigningDevice,
  listDevices,
  listSigningDevices,
  renameDevice,
  type SigningDevice,
  takeChallenge,
} from '../store/devices.ts'
import { deviceToWire } from '../wire.ts'
import { isSignedBy, parseDeviceKey } from './device-key.ts'
import { provePassword } from './second-factor.ts'
import { creationOptions, type PasskeyCredential, readNewPasskey, requestOptions } from './webauthn.ts'

const CHALLENGE_MS = 5 * 60_000
/** The list is read as a whole. Browsers that are trusted later are not counted. */
const MAX_DEVICES = 100

export async function listTrustedDevices(context: LoginContext, userId: UserId): Promise<readonly Device[]> {
  return context.database.read((read) => listDevices(read, userId, context.clock.now(), MAX_DEVICES + MAX_BROWSERS))
}

/** Null when this account has no such device. */
export async function findTrustedDevice(context: LoginContext, userId: UserId, id: string): Promise<Device | null> {
  return context.database.read((read) => findDevice(read, userId, id, context.clock.now()))
}

export interface DeviceChallenge {
  readonly challenge: string
  /** For the browser's WebAuthn call; null for a device key. */
  readonly options: Record<string, unknown> | null
}

/** A challenge that is valid once: to add a device, or to approve something that has no id to sign. */
export async function issueChallenge(
  context: LoginContext,
  userId: UserId,
  kind: ChallengeKind,
): Promise<DeviceChallenge> {
  const challenge = context.ids.clientSecret()
  const now = context.clock.now()
  const { account, known } = await context.database.transaction(async (tx) => {
    await insertChallenge(tx, userId, challenge, kind, now, instant(now + CHALLENGE_MS))
    return { account: await findAccount(tx, userId), known: await listSigningDevices(tx, userId) }
  })
  if (account === null) throw refuse('auth.token_invalid')
  if (kind === 'device_key') return { challenge, options: null }
  if (kind === 'approval') return { challenge, options: await requestOptions(context.webAuthn, challenge, known) }
  return { challenge, options: await creationOptions(context.webAuthn, { userId, ...account }, challenge, known) }
}

export interface NewDevice {
  readonly verifier: Secret<string>
  readonly name: string
  readonly challenge: string
  readonly proof:
    | { readonly kind: 'passkey'; readonly credential: PasskeyCredential }
    | { readonly kind: 'device_key'; readonly publicKey: string; readonly signature: string }
}

/**
 * Needs the password again: a stolen token must not be enough to add an approving device. The session of the call is used
 * on the device, so it ends with it.
 */
export async function addDevice(
  context: LoginContext,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: string },
  fresh: NewDevice,
): Promise<Device> {
  await provePassword(context, userId, fresh.verifier)
  const now = context.clock.now()
  const { kind } = fresh.proof
  const isOurs = await context.database.transaction((tx) => takeChallenge(tx, userId, fresh.challenge, kind, now))
  if (!isOurs) throw wrongMember('/challenge', 'is not one of ours, or was used, or is too old; ask for a new one')
  const key = await readNewKey(context, fresh)
  const device = { id: context.ids.uuid(), kind, ...key }
  return storeDevice(context, { userId, sessionId }, fresh.name.trim(), device, now)
}

async function storeDevice(
  { database }: LoginContext,
  { userId, sessionId }: { readonly userId: UserId; readonly sessionId: string },
  name: string,
  device: SigningDevice,
  now: Instant,
): Promise<Device> {
  const { id, kind } = device
  const stored = { id, kind, name, createdAt: now, seenAt: now, expiresAt: null }
  await database.transaction(async (tx) => {
    const known = await listDevices(tx, userId, now, MAX_DEVICES)
    if (known.length >= MAX_DEVICES)
      throw wrongMember('', `an account has at most ${MAX_DEVICES} trusted devices; remove one first`)
    const isNew = await insertSigningDevice(tx, userId, name, device, now)
    if (!isNew) throw wrongMember('/credential', 'is registered already')
    await bindSessionToDevice(tx, userId, sessionId, id)
    await tx.storeAnswer(deviceToWire(stored))
  })
  return stored
}

async function readNewKey({ webAuthn }: LoginContext, { proof, challenge }: NewDevice) {
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

/** Null when this account has no such device. */
export async function renameTrustedDevice(
  { database, clock }: LoginContext,
  userId: UserId,
  id: string,
  name: string,
): Promise<Device | null> {
  return database.transaction((tx) => renameDevice(tx, userId, id, name.trim(), clock.now()))
}

/**
 * False when this account has no such device. Resolves when no session that was opened with it is accepted anywhere;
 * when it rejects, the device is deleted and a repeated call ends its sessions.
 */
export async function removeDevice(context: LoginContext, userId: UserId, id: string): Promise<boolean> {
  // Also the session of the call, if it is used there: a thief must not take the device from the list and stay.
  const { isRemoved, families } = await context.database.transaction(async (tx) => {
    // The device first: a concurrent login with it has either committed, and is ended below, or finds no device.
    const deleted = await deleteDevice(tx, userId, id)
    if (deleted) await context.hooks.onDeviceRemoved(tx, userId, id)
    return { isRemoved: deleted, families: await endFamilies(context, tx, userId, { deviceId: id }) }
  })
  await spreadRevocations(context, families)
  return isRemoved || families.length > 0
}
