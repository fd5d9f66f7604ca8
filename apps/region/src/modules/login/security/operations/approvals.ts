import { parseUuid, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { DeviceAssertion } from '@sealpost/protocol'
import type { LoginContext } from '../../context.ts'
import { isSessionConfirmed } from '../../store/sessions.ts'
import { listSigningDevices, recordSignature, type SigningDevice, takeChallenge } from '../store/devices.ts'
import { isSignedBy } from './device-key.ts'
import { readAssertion } from './webauthn.ts'

export interface Approval {
  /** The signed text: the id of the approved object, a hash of its content, or an issued challenge. */
  readonly challenge: string
  readonly assertion: DeviceAssertion
}

export interface ApprovingDevice {
  readonly deviceId: string
  readonly kind: 'passkey' | 'device_key'
}

/**
 * The device of this account that signed; null when none did. A passkey's counter must rise, but many authenticators
 * keep it at zero, so the caller makes sure that a signature counts once: by an id that becomes final, or by
 * `takeApprovalChallenge`. `onRecorded` runs in the transaction that raises a counter, after which the same assertion is
 * refused.
 */
export async function verifyDeviceAssertion(
  context: LoginContext,
  userId: UserId,
  { challenge, assertion }: Approval,
  onRecorded?: (tx: Tx, deviceId: string) => Promise<void>,
): Promise<ApprovingDevice | null> {
  const devices = await context.database.read((read) => listSigningDevices(read, userId))
  const device = devices.find((candidate) => isNamed(candidate, assertion))
  if (device === undefined) return null
  const signCount = await readSignCount(context, device, { challenge, assertion })
  if (signCount === null) return null
  const record = (tx: Tx) => recordSignature(tx, userId, device.id, signCount, context.clock.now())
  const raise = async (tx: Tx): Promise<boolean> => {
    const isRaised = await record(tx)
    if (isRaised) await onRecorded?.(tx, device.id)
    return isRaised
  }
  // A counter that rises must not be recorded twice, as a write without a transaction may be.
  const isFresh = await (signCount === 0 ? context.database.write(record) : context.database.transaction(raise))
  return isFresh ? { deviceId: device.id, kind: device.kind } : null
}

/** True once for each challenge that `issueChallenge` gave out for an approval. */
export async function takeApprovalChallenge(
  context: LoginContext,
  userId: UserId,
  challenge: string,
): Promise<boolean> {
  return context.database.transaction((tx) => takeChallenge(tx, userId, challenge, 'approval', context.clock.now()))
}

/** A challenge for approvals, signed by a device of the user. Any attempt uses the challenge up. */
export async function verifyApproval(context: LoginContext, userId: UserId, approval: Approval): Promise<boolean> {
  if (!(await takeApprovalChallenge(context, userId, approval.challenge))) return false
  return (await verifyDeviceAssertion(context, userId, approval)) !== null
}

/** Whether a session of the user was opened with a one-time code. */
export async function hasConfirmedSession(context: LoginContext, userId: UserId, sessionId: string): Promise<boolean> {
  const id = parseUuid<string>(sessionId)
  return id !== null && (await context.database.read((read) => isSessionConfirmed(read, userId, id)))
}

/** For modules that this one must not be imported by. */
export function secondFactorOf(context: LoginContext) {
  return {
    ofSession: (userId: UserId, sessionId: string) => hasConfirmedSession(context, userId, sessionId),
    byDevice: (userId: UserId, approval: Approval) => verifyApproval(context, userId, approval),
  }
}

function isNamed({ id, kind, credentialId }: SigningDevice, assertion: DeviceAssertion): boolean {
  if ('device_id' in assertion) return kind === 'device_key' && id === assertion.device_id
  return credentialId !== null && Buffer.from(credentialId).equals(Buffer.from(assertion.id, 'base64url'))
}

async function readSignCount(
  { webAuthn }: LoginContext,
  device: SigningDevice,
  { challenge, assertion }: Approval,
): Promise<number | null> {
  if (!('device_id' in assertion)) return readAssertion(webAuthn, challenge, assertion, device)
  return isSignedBy(device.publicKey, challenge, assertion.signature) ? 0 : null
}
