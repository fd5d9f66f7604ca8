import { ServiceKey } from '@sealpost/sdk'
import type { PortalContext } from '../context.ts'
import { keepServiceKey, plainPassphrase, readWrap } from '../service-key.ts'

/** Which service's key is open, and how to compare it with what a colleague or a customer sees. */
export interface ServiceKeyState {
  readonly serviceId: string
  readonly fingerprint: string
}

export async function serviceKeyState({ serviceKey }: PortalContext): Promise<ServiceKeyState | null> {
  return serviceKey === null ? null : { serviceId: serviceKey.serviceId, fingerprint: serviceKey.key.fingerprint }
}

/** By the passphrase alone: the wrapped key comes from the platform. */
export async function openByPassphrase(
  context: PortalContext,
  wish: { readonly serviceId: string; readonly passphrase: string },
): Promise<void> {
  const { wrap } = await readWrap(context, wish.serviceId)
  await keepServiceKey(context, wish.serviceId, await ServiceKey.fromWrap(wrap, plainPassphrase(wish.passphrase)))
}

/** By the key file, which needs the same passphrase. */
export async function openByKeyFile(
  context: PortalContext,
  wish: { readonly serviceId: string; readonly pem: string; readonly passphrase: string },
): Promise<void> {
  await keepServiceKey(context, wish.serviceId, await ServiceKey.fromPem(wish.pem, plainPassphrase(wish.passphrase)))
}

export async function forgetServiceKey(context: PortalContext): Promise<void> {
  context.serviceKey = null
  context.changed('key')
}
