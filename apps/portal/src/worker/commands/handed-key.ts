import { AccountKey, ServiceKey } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { refuseHere } from '@sealpost/web-app/worker'
import type { PortalContext } from '../context.ts'
import { keepServiceKey, openServiceKey } from '../service-key.ts'

/** Whether the passphrase of this service was handed to the account. */
export async function isKeyHanded(context: PortalContext, serviceId: string): Promise<boolean> {
  const { company } = requireOpen(context).client
  return (await company.services.readPrivateKey(serviceId)).sealed_passphrase !== null
}

/** Opens the key of a service by the passphrase that was sealed to this account. It is not shown and not kept. */
export async function openHandedKey(context: PortalContext, serviceId: string): Promise<void> {
  const { client, privateKey } = requireOpen(context)
  const { sealed_passphrase: sealed } = await client.company.services.readPrivateKey(serviceId)
  if (sealed === null) throw refuseHere('key_not_handed')
  const own = await AccountKey.fromPkcs8(privateKey.reveal())
  const passphrase = await own.open(sealed)
  const { key } = await openServiceKey(context, serviceId, (wrap) => ServiceKey.fromWrap(wrap, passphrase))
  keepServiceKey(context, serviceId, key)
}
