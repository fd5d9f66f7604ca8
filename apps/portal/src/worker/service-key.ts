import { SealingError, type SealingRefusal, type ServiceKey, type WrappedPrivateKey } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PortalContext } from './context.ts'

export function requireServiceKey({ serviceKey }: PortalContext, serviceId: string): ServiceKey {
  if (serviceKey?.serviceId === serviceId) return serviceKey.key
  throw refuseHere('no_service_key')
}

export interface StoredKey {
  readonly publicKey: string
  readonly wrap: WrappedPrivateKey
}

export interface OpenedKey {
  readonly key: ServiceKey
  readonly stored: StoredKey
}

/**
 * Opens the key of a service and judges it: it must be the key that the platform shows, the same as the last time, and
 * that of no other service. A server could have exchanged it.
 */
export async function openServiceKey(
  context: PortalContext,
  serviceId: string,
  open: (wrap: WrappedPrivateKey) => Promise<ServiceKey>,
): Promise<OpenedKey> {
  const stored = await readWrap(context, serviceId)
  const key = await open(stored.wrap).catch((error: unknown) => {
    throw error instanceof SealingError ? refuseHere(REFUSALS[error.refusal] ?? 'service_key_damaged') : error
  })
  if (key.publicKey !== stored.publicKey) throw refuseHere('key_of_another_service')
  await pinOwnKey(context, serviceId, key.fingerprint)
  return { key, stored }
}

/** The words of the session are about the password of the account. */
const REFUSALS: Readonly<Partial<Record<SealingRefusal, string>>> = {
  wrong_passphrase: 'passphrase_wrong',
  too_weak: 'service_key_weak',
  too_costly: 'service_key_weak',
  not_a_key_file: 'not_a_key_file',
  unsupported_protection: 'not_a_key_file',
}

/** Keeps it open, in the place of that of another service. */
export function keepServiceKey(context: PortalContext, serviceId: string, key: ServiceKey): void {
  context.serviceKey = { serviceId, key }
  context.changed('key')
}

/** Kept for good: keys of services never change, and two services never have the same. */
export async function pinOwnKey(context: PortalContext, serviceId: string, fingerprint: string): Promise<void> {
  const pins = ownPins(context)
  const [known, owner] = [await pins.get(ofService(serviceId)), await pins.get(ofKey(fingerprint))]
  if (owner !== undefined && owner !== serviceId) throw refuseHere('key_of_another_service')
  if (known !== undefined && known !== fingerprint) throw refuseHere('service_key_changed')
  if (known === undefined) await pins.set(ofService(serviceId), fingerprint)
  if (owner === undefined) await pins.set(ofKey(fingerprint), serviceId)
  // Links can say the key from now on.
  if (known === undefined) context.changed('key')
}

/** Null for a key that this browser has neither made nor opened. */
export async function knownFingerprint(context: PortalContext, serviceId: string): Promise<string | null> {
  return (await ownPins(context).get(ofService(serviceId))) ?? null
}

const ofService = (serviceId: string): string => `own-service:${serviceId}`
const ofKey = (fingerprint: string): string => `own-key:${fingerprint}`

function ownPins(context: PortalContext) {
  const { accountId } = requireOpen(context)
  return context.store.pinsOf(async () => accountId)
}

export async function readWrap(context: PortalContext, serviceId: string): Promise<StoredKey> {
  const { company } = requireOpen(context).client
  const { public_key: publicKey, encrypted_private_key: wrap } = await company.services.readPrivateKey(serviceId)
  return { publicKey, wrap }
}

/** As people type it: from a page where it stands in groups. */
export function plainPassphrase(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}
