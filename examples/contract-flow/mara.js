import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { AccountKey, CustomerClient } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'

const { DEMO = '.local/demo' } = process.env
const mara = JSON.parse(readFileSync(`${DEMO}/mara.json`, 'utf8'))
const person = new CustomerClient({
  accessToken: logIn,
  key: await AccountKey.fromPkcs8(Buffer.from(mara.private_key, 'base64')), // in an app: opened with the password
  pins: filePins(`${DEMO}/pins-of-mara`),
})

/** As the person app does; see docs/guides/authentication.md. */
async function logIn() {
  const answer = await fetch(`${mara.front_door}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: mara.app_origin },
    body: JSON.stringify({ email: mara.email, auth_verifier: mara.auth_verifier }),
  })
  const { access_token: token, api_url: apiUrl, error_key: refusal } = await answer.json()
  if (!answer.ok) throw new Error(refusal)
  return { token, apiUrl }
}

const runs = await person.flows.list(mara.connection_id)
const open = runs.find(({ status }) => status !== 'completed' && status !== 'cancelled')
if (open === undefined) throw new Error('no run is open: start hire.js first')

const run = await person.flows.waitForTurn(open)
await person.flows.answer(run, { full_name: { value: 'Mara Lindqvist' } })
console.log('answered')

const signing = await person.flows.waitForStep(open)
const opened = await person.flows.openDocument(signing, 'contract')
writeFileSync(`${DEMO}/shown.pdf`, opened.file.bytes) // an app shows it before it asks
await person.documents.requestSignCode(opened.document)
const terminal = createInterface({ input: process.stdin, output: process.stdout })
const code = await terminal.question(`Read ${DEMO}/shown.pdf. The code of the mail, to sign it: `)
terminal.close()
const { status } = await person.documents.sign(opened, { method: 'email', code: code.trim() })
console.log(status)
