import type { UserId } from '@sealpost/kernel'
import type { DeviceAssertion } from '@sealpost/protocol'
import { isSignedBy } from './device-key.ts'
import type { SecurityNeeds } from './needs.ts'
import { listSigningDevices, recordSignature, type SigningDevice, takeChallenge } from './store/devices.ts'
import { readAssertion } from './webauthn.ts'

export interface Approval {
  /** What was signed: the id of the thing that is approved, a hash of its content, or a challenge that was issued. */
  readonly challenge: string
  readonly assertion: DeviceAssertion
}

export interface ApprovingDevice {
  readonly deviceId: string
  readonly kind: 'passkey' | 'device_key'
}

/**
 * The device of this account that signed; null when none did. A passkey's counter must rise. That alone does not make a
 * signature good only once (many authenticators keep the counter at zero), so whoever asks takes care that what was
 * signed can be approved once: by an id that becomes final, or by `takeApprovalChallenge`.
 */
export async function verifyDeviceAssertion(
  needs: SecurityNeeds,
  userId: UserId,
  { challenge, assertion }: Approval,
): Promise<ApprovingDevice | null> {
  const devices = await needs.database.read((read) => listSigningDevices(read, userId))
  const device = devices.find((candidate) => isNamed(candidate, assertion))
  if (device === undefined) return null
  const signCount = await readSignCount(needs, device, { challenge, assertion })
  if (signCount === null) return null
  const isFresh = await needs.database.transaction((tx) =>
    recordSignature(tx, userId, device.id, signCount, needs.clock.now()),
  )
  return isFresh ? { deviceId: device.id, kind: device.kind } : null
}

/** True once for each challenge that `issueChallenge` gave out for an approval. */
export async function takeApprovalChallenge(needs: SecurityNeeds, userId: UserId, challenge: string): Promise<boolean> {
  return needs.database.transaction((tx) => takeChallenge(tx, userId, challenge, 'approval', needs.clock.now()))
}

function isNamed({ id, kind, credentialId }: SigningDevice, assertion: DeviceAssertion): boolean {
  if ('device_id' in assertion) return kind === 'device_key' && id === assertion.device_id
  return credentialId !== null && Buffer.from(credentialId).equals(Buffer.from(assertion.id, 'base64url'))
}

async function readSignCount(
  { webAuthn }: SecurityNeeds,
  device: SigningDevice,
  { challenge, assertion }: Approval,
): Promise<number | null> {
  if (!('device_id' in assertion)) return readAssertion(webAuthn, challenge, assertion, device)
  return isSignedBy(device.publicKey, challenge, assertion.signature) ? 0 : null
}
