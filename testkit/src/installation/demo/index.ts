import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'
import type { UserLogin } from '@sealpost/sdk/login'
import type { PeoplePlace } from '../../people/people.ts'
import { northwind } from '../../personas.ts'
import { seedConnection, seedRequestFields } from './connections.ts'
import { seedDocuments } from './documents.ts'
import { type Patient, seedFlow } from './flow.ts'
import { writeKeyFiles } from './key-files.ts'
import { seedMessages } from './messages.ts'
import { type DemoPerson, demoPersons, openLogin, openPerson } from './people.ts'

export { seedContract } from './contract.ts'
export { type DemoPerson, demoPersons } from './people.ts'

/**
 * Fills an installation for development: persons who share values with the service of Northwind, papers, a contract, a
 * message, a flow with runs. The folder gets the key files of the service last: programs that find them find the data, too.
 * Repeating it changes nothing.
 */
export async function seedDemo(place: PeoplePlace, folder: string): Promise<void> {
  const portal = await openPortal(place)
  const [first, second] = await connectPersons(place, portal, demoPersons, folder)
  if (first === undefined || second === undefined) throw new Error('the demo has two persons at least')
  const { clientId, clientSecret, serviceId, service } = northwind
  const pins = filePins(join(folder, 'pins-of-service'))
  const client = new ServiceClient({ frontDoorUrl: place.frontDoor.url, clientId, clientSecret, pins })
  await seedDocuments(client, first.connectionId)
  const pem = await portal.account.services.exportPem(serviceId, service.passphrase)
  const key = await ServiceKey.fromPem(pem, service.passphrase)
  await seedMessages(client, first.connectionId, key)
  await seedFlow(portal.login, { client, key }, [first, second])
  await writeKeyFiles(place, portal.account, folder)
  await portal.login.close()
}

/** The first person and the key files alone. */
export async function seedFirstConnection(place: PeoplePlace, folder: string): Promise<void> {
  const portal = await openPortal(place)
  await connectPersons(place, portal, demoPersons.slice(0, 1), folder)
  await writeKeyFiles(place, portal.account, folder)
  await portal.login.close()
}

interface Portal {
  readonly login: UserLogin
  readonly account: AccountClient
}

async function openPortal(place: PeoplePlace): Promise<Portal> {
  const { email, login } = northwind
  const opened = await openLogin(place, 'company', { email, password: login.password })
  return { login: opened, account: new AccountClient({ accessToken: opened.accessToken }) }
}

async function connectPersons(
  place: PeoplePlace,
  { account }: Portal,
  persons: readonly DemoPerson[],
  folder: string,
): Promise<readonly Patient[]> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await seedRequestFields(account)
  const patients: Patient[] = []
  for (const person of persons) {
    const client = await openPerson(place, person, folder)
    patients.push({ client, connectionId: await seedConnection(client, person) })
  }
  return patients
}
