import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { APP_ORIGIN } from '../../people/app-origin.ts'
import { bodyOf } from '../../people/call.ts'
import { callsWith } from '../../people/client-calls.ts'
import { logIn, type PeoplePlace } from '../../people/people.ts'
import { mara, northwind } from '../../personas.ts'
import { listOf } from '../../sharing/members.ts'
import { type FlowAuthor, flowAuthor } from '../../world/flow-author.ts'
import { ROOT } from '../app-process.ts'
import { readOwn, writeOwn } from './files.ts'

const DEFINITION = join(ROOT, 'examples/contract-flow/definition.json')
const TEMPLATE = join(ROOT, 'docs/guides/files/employment.pdf')
const FLOW_FILE = 'contract.json'

/**
 * After `seedFirstConnection`: publishes the flow of `examples/contract-flow` as a user of Northwind's portal, and writes what the
 * example needs of both parties. Repeating it changes nothing.
 */
export async function seedContract(place: PeoplePlace, folder: string, sealRoot: string): Promise<void> {
  const { token, apiUrl } = await logIn(place, { email: northwind.email, authVerifier: northwind.login.authVerifier })
  const author = flowAuthor({ portal: callsWith(apiUrl, token), serviceId: northwind.serviceId })
  const { flow_id: known } = readOwn(folder, FLOW_FILE)
  // The data may have been deleted since.
  const isThere = typeof known === 'string' && (await author.call('GET', `/${known}`)).status === 200
  writeOwn(folder, FLOW_FILE, JSON.stringify({ flow_id: isThere ? known : await publish(author) }))
  writeOwn(folder, 'platform-ca.pem', sealRoot)
  writeOwn(folder, 'mara.json', JSON.stringify(await maraSettings(place), null, 2))
}

async function publish(author: FlowAuthor): Promise<string> {
  const draft = await author.create(undefined, 'Employment')
  const file = `data:application/pdf;base64,${readFileSync(TEMPLATE, 'base64')}`
  const upload = { file, original_name: 'employment.pdf' }
  const { asset_key: template } = await bodyOf(author.call('POST', `/${draft.flowId}/assets`, upload), 201)
  const definition = readFileSync(DEFINITION, 'utf8').replace('{{template}}', String(template))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the region checks it
  await author.publish(await author.save(draft, JSON.parse(definition) as object))
  return draft.flowId
}

/** What the device of Mara has after a login. */
async function maraSettings(place: PeoplePlace): Promise<object> {
  const { email, login } = mara
  const { token, apiUrl } = await logIn(place, { email, authVerifier: login.authVerifier })
  const { connections } = await bodyOf(callsWith(apiUrl, token)('GET', '/api/company-connections'))
  const connected = listOf(connections).find(({ services }) =>
    listOf(services).some(({ service_id }) => service_id === northwind.serviceId),
  )
  const { wrapKey } = await deriveLogin(login.password, login.kdf)
  const privateKey = await openPrivateKey(login.keys.encryptedPrivateKey, wrapKey)
  return {
    front_door: place.frontDoor.url,
    app_origin: APP_ORIGIN,
    email,
    auth_verifier: login.authVerifier,
    private_key: Buffer.from(privateKey.reveal()).toString('base64'),
    connection_id: connected?.['id'],
  }
}
