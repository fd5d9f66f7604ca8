import { join } from 'node:path'
import type { AccountClient } from '@sealpost/sdk'
import type { PeoplePlace } from '../../people/people.ts'
import { northwind } from '../../personas.ts'
import { readOwn, writeOwn } from './files.ts'

const SETTINGS = 'sealpost.json'

/**
 * What the backend of the service has: its key file, the passphrase, and the settings of its data client and of an account
 * client that manages services, which SDK and command read from any folder.
 */
export async function writeKeyFiles(place: PeoplePlace, portal: AccountClient, folder: string): Promise<void> {
  const { passphrase } = northwind.service
  writeOwn(folder, 'service.pem', await portal.services.exportPem(northwind.serviceId, passphrase))
  writeOwn(folder, 'passphrase.txt', passphrase)
  const settings = {
    front_door: place.frontDoor.url,
    client_id: northwind.clientId,
    client_secret: northwind.clientSecret,
    ...(await accountClient(portal, folder)),
    key_file: join(folder, 'service.pem'),
    passphrase_file: join(folder, 'passphrase.txt'),
    pins_folder: join(folder, 'pins-of-commands'),
  }
  writeOwn(folder, SETTINGS, JSON.stringify(settings, null, 2))
}

/** The one of an earlier run, unless the data was deleted since: the secret is shown once. */
async function accountClient(portal: AccountClient, folder: string): Promise<object> {
  const { account_client_id, account_client_secret } = readOwn(folder, SETTINGS)
  for await (const { client_id } of portal.clients.list()) {
    if (client_id === account_client_id) return { account_client_id, account_client_secret }
  }
  const made = await portal.clients.create({ name: 'Demo', capabilities: ['service_management'] })
  return { account_client_id: made.client_id, account_client_secret: made.client_secret }
}
