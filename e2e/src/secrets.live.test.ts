import { randomBytes } from 'node:crypto'
import { harborline, northwind } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAccount, openAccount } from './secrets/account-stage.ts'
import { openClients, runCodeFlow } from './secrets/client-stage.ts'
import { needle } from './secrets/needles.ts'
import { sendOddRequests } from './secrets/odd-requests.ts'
import { plantEverywhere, removePlanted } from './secrets/plant.ts'
import { startRecorder, type Recorder } from './secrets/recorder.ts'
import { createRecordingClient } from './secrets/recording-client.ts'
import { describeFindings, search } from './secrets/search.ts'
import { keepSettings, openSecretSet } from './secrets/secret-set.ts'

const WIDE = '6000'
let recorder: Recorder

beforeAll(async () => {
  recorder = await startRecorder({ RATE_TOKEN: WIDE, RATE_LOGIN_IP: WIDE, RATE_LOGIN_ACCOUNT: WIDE })
})
afterAll(() => recorder.close())

test('the search finds a planted text in every place and every form', async () => {
  const text = `planted-${randomBytes(16).toString('hex')}`
  await plantEverywhere(recorder.installation, text)
  const columns = ['as_bytes', 'as_hex', 'as_json', 'as_list', 'as_text'].map((name) => `scratch.planted.${name}`)
  const expected = [
    ...['eu', 'us'].flatMap((name) => [`NATS ${name}, stream planted, planted`, `S3 ${name}, planted-${text}`]),
    ...['hash', `key-${text}`, 'text'].map((name) => `Redis 1, planted-${name}`),
    ...['directory', 'eu', 'us'].flatMap((name) => columns.map((column) => `database ${name}, ${column}`)),
    ...['front-door', 'region eu', 'region us'].map((name) => `the log of ${name}`),
    'a trace',
  ]
  // Spans contain nothing of a caller, so the search looks for the name of a span there.
  const wanted = [needle('the text', text), needle('a span', '"name":"platform.read_health"')]
  const places = async () => search(await recorder.readAll(), wanted).map(({ place }) => place)
  await expect.poll(async () => new Set(await places())).toEqual(new Set(expected))
  await removePlanted(text)
})

test('no password, verifier, key, secret, token or code is written anywhere, also after malformed requests', async () => {
  const secrets = openSecretSet()
  keepSettings(secrets, recorder.installation)
  for (const { clientSecret, login } of [northwind, harborline]) {
    secrets.keep('the secret of a persona', clientSecret)
    secrets.keep('the verifier of a persona', Buffer.from(login.authVerifier, 'base64'))
  }
  const http = createRecordingClient(recorder, secrets)
  const company = await openAccount(http, 'company', 'eu')
  await openAccount(http, 'person', 'us')
  const client = await openClients(http, company)
  await runCodeFlow(http, company, client)
  await sendOddRequests(http, company, client)
  await changeAccount(http, company)
  for (const mail of recorder.installation.mail.taken) {
    const [code] = /\b[0-9]{6}\b/.exec(mail.text) ?? []
    if (code !== undefined) secrets.keepDigits('a mailed code', code)
  }
  await recorder.stop()
  const written = (await recorder.readAll()).filter(({ place }) => !place.startsWith('a mail to'))
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})
