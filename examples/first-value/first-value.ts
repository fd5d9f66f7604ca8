import { readFileSync } from 'node:fs'
import { ServiceClient, ServiceKey } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'

const folder = process.argv[2] ?? '.local/demo' // key file and settings of a service
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8').trim()
const { front_door: frontDoorUrl, client_id: clientId, client_secret: clientSecret } = JSON.parse(read('sealpost.json'))

const pins = filePins(`${folder}/pins`) // remembers keys and senders
const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins })
const key = await ServiceKey.fromPem(read('service.pem'), read('passphrase.txt'))
let connections = 0
for await (const connection of client.connections.list()) {
  connections += 1
  const { name, home } = await client.values.decrypt(connection, key)
  if (name?.kind === 'text') console.log(name.value, name.authenticity)
  if (home?.kind === 'parts') console.log('lives in', home.value.city) // not mandatory: some persons leave it out
}
if (connections === 0) console.log('no connections yet: has `npm run dev` said that Sealpost is ready?')
