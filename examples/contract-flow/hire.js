import { readFileSync, writeFileSync } from 'node:fs'
import { ServiceClient, ServiceKey, verifySealedPdf } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'

const { DEMO = '.local/demo' } = process.env
const read = (file) => readFileSync(`${DEMO}/${file}`, 'utf8').trim()
const { front_door: frontDoorUrl, client_id: clientId, client_secret: clientSecret } = JSON.parse(read('sealpost.json'))
const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins: filePins(`${DEMO}/pins`) })
const key = await ServiceKey.fromPem(read('service.pem'), read('passphrase.txt'))

// The trigger: an application in your system. Here a customer's name and a number on the command line.
const [name = 'Mara Lindqvist', reference = 'HR-42'] = process.argv.slice(2)
const connections = await Array.fromAsync(client.connections.list())
const { id: connection_id } = connections.find(({ display_name }) => display_name === name)

// The same application starts one run, however often this program is started.
const { flow_id: flowId } = JSON.parse(read('contract.json'))
const started = { targets: { employee: { connection_id } } }
const { id } = await client.flows.start(flowId, started, key, { idempotencyKey: `hire-${reference}` })
await client.flows.answer(
  id,
  { position: { value: 'Nurse' }, salary: { value: 60_000 }, start: { value: '2027-03-01' } },
  key,
)
console.log(`${name} is asked`)

await client.flows.waitForTurn(id)
await client.flows.answer(id, { reference: { value: reference } }, key)
await client.flows.generate(id, key)
console.log('the contract waits for the signature')

const { status } = await client.flows.waitForEnd(id)
const { file } = await client.flows.openDocument(id, 'contract', key)
const { isValid } = await verifySealedPdf(file.bytes, { certificates: read('platform-ca.pem') })
writeFileSync(`${DEMO}/contract.pdf`, file.bytes)
console.log(status, isValid ? 'and sealed' : 'but the seal is not valid', `${DEMO}/contract.pdf`)
