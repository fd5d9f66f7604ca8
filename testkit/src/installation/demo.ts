import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AccountClient, AccountKey, CustomerClient, type HandedAccess } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { type Credentials, logIn, type PeoplePlace } from '../people/people.ts'
import { mara, northwind } from '../personas.ts'

const CODE = `${northwind.shareCode}/${northwind.service.shareCode}`
const FIELDS = [
  { slug: 'name', label: 'Your first name', type: 'text', mandatory: true },
  { slug: 'home', label: 'Where you live', type: 'address' },
]
const HOME = { street: 'Elm Street', building_number: '12', city: 'Portland', state: 'OR', country: 'US' }

/**
 * Mara shares her name and address with the service of Northwind. The folder gets what the backend of the service has: its
 * key file, the passphrase and the settings of its data client. Repeating it changes nothing.
 */
export async function seedDemo(place: PeoplePlace, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const portal = new AccountClient(accessOf(place, personaOf(northwind)))
  const { request_fields: rows } = await portal.requestFields.read(northwind.serviceId)
  if (rows.length === 0) await portal.requestFields.update(northwind.serviceId, () => FIELDS)
  await connectMara(place, folder)
  const { passphrase } = northwind.service
  writeOwn(folder, 'service.pem', await portal.services.exportPem(northwind.serviceId, passphrase))
  writeOwn(folder, 'passphrase.txt', passphrase)
  const settings = {
    front_door: place.frontDoor.url,
    client_id: northwind.clientId,
    client_secret: northwind.clientSecret,
    key_file: 'service.pem',
    passphrase_file: 'passphrase.txt',
    pins_folder: 'pins-of-commands',
  }
  writeOwn(folder, 'sealpost.json', JSON.stringify(settings, null, 2))
}

async function connectMara(place: PeoplePlace, folder: string): Promise<void> {
  const person = new CustomerClient({
    ...accessOf(place, personaOf(mara)),
    pins: filePins(join(folder, 'pins-of-mara')),
    key: async () => {
      const { wrapKey } = await deriveLogin(mara.login.password, mara.login.kdf)
      const { encrypted_private_key: wrapped } = await person.readKeys()
      return AccountKey.fromPkcs8((await openPrivateKey(wrapped, wrapKey)).reveal())
    },
  })
  for await (const { services } of person.connections.list()) {
    if (services.some(({ service_id }) => service_id === northwind.serviceId)) return
  }
  const ids = new Map<string, string>()
  for await (const { slug, id } of person.contactFields.list()) ids.set(slug, id)
  const [name, home] = [ids.get('first_name') ?? '', ids.get('address') ?? '']
  await person.contactData.put(name, 'Mara')
  await person.contactData.put(home, HOME)
  await person.connect(CODE, { name: { from: name }, home: { from: home } })
}

function personaOf({ email, login }: Pick<typeof mara, 'email' | 'login'>): Credentials {
  return { email, authVerifier: login.authVerifier }
}

function accessOf(place: PeoplePlace, who: Credentials): HandedAccess {
  return {
    async accessToken() {
      const { token, apiUrl } = await logIn(place, who)
      return { token, apiUrl }
    },
  }
}

function writeOwn(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), `${text.trimEnd()}\n`, { mode: 0o600 })
}
