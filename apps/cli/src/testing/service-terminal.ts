import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import type { Service, World } from '@sealpost/testkit'
import { openTerminal } from '../testing.ts'

/** A terminal with the settings and the key file of a service, and the SDK's client for the same service. */
export async function openServiceTerminal(world: World, service: Service) {
  const { clientId, clientSecret } = service.client
  const frontDoorUrl = world.frontDoor.url
  const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins: memoryPins() })
  const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
  const terminal = openTerminal({
    SEALPOST_FRONT_DOOR: frontDoorUrl,
    SEALPOST_CLIENT_ID: clientId,
    SEALPOST_CLIENT_SECRET: clientSecret,
    SEALPOST_KEY_FILE: 'service.pem',
    SEALPOST_PASSPHRASE: service.passphrase,
  })
  world.onEnd(() => Promise.resolve(terminal[Symbol.dispose]()))
  const account = new AccountClient({ accessToken: () => Promise.resolve(service.company) })
  const pem = await account.services.exportPem(service.serviceId, service.passphrase)
  writeFileSync(join(terminal.folder, 'service.pem'), pem)
  return { client, key, terminal, account, flows: (...words: readonly string[]) => terminal.run('flows', ...words) }
}
