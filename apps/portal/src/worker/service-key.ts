import type { ServiceKey, WrappedPrivateKey } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PortalContext } from './context.ts'

export function requireServiceKey({ serviceKey }: PortalContext, serviceId: string): ServiceKey {
  if (serviceKey?.serviceId === serviceId) return serviceKey.key
  throw refuseHere('no_service_key')
}

/** Only the key of this very service: that of another one opens nothing, and a server could have exchanged it. */
export async function keepServiceKey(context: PortalContext, serviceId: string, key: ServiceKey): Promise<void> {
  const { publicKey } = await readWrap(context, serviceId)
  if (key.publicKey !== publicKey) throw refuseHere('key_of_another_service')
  const { accountId } = requireOpen(context)
  const pins = context.store.pinsOf(async () => accountId)
  const known = await pins.get(`own-service:${serviceId}`)
  if (known !== undefined && known !== key.fingerprint) throw refuseHere('service_key_changed')
  if (known === undefined) await pins.set(`own-service:${serviceId}`, key.fingerprint)
  context.serviceKey = { serviceId, key }
  context.changed('key')
}

export async function readWrap(
  context: PortalContext,
  serviceId: string,
): Promise<{ readonly publicKey: string; readonly wrap: WrappedPrivateKey }> {
  const { company } = requireOpen(context).client
  const { public_key: publicKey, encrypted_private_key: wrap } = await company.services.readPrivateKey(serviceId)
  return { publicKey, wrap }
}

/** As people type it: from a page where it stands in groups. */
export function plainPassphrase(typed: string): string {
  return typed.replaceAll(/\s/g, '')
}
