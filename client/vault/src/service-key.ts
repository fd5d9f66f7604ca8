import { createServiceKey as createServiceKeyOn, type ServiceKey } from '@sealpost/crypto'
import { hostPlatform } from './host.ts'

/** The key of a service or a sign-in app: two parts for the server, and the passphrase, which the caller must keep. */
export function createServiceKey(): Promise<ServiceKey> {
  return createServiceKeyOn(hostPlatform())
}
