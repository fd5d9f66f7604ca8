import { randomBytes } from 'node:crypto'
import { harborline, northwind } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAccount, openAccount } from './secrets/account-stage.ts'
import { openClients, walkCodeFlow } from './secrets/client-stage.ts'
import { sendOdd } from './secrets/mischief.ts'
import { needle } from './secrets/needles.ts'
import { plantEverywhere, removePlanted } from './secrets/plant.ts'
import { keepSettings, openSafe } from './secrets/safe.ts'
import { describeFindings, search } from './secrets/search.ts'
import { createTraveller } from './secrets/traveller.ts'
import { startWitness, type Witness } from './secrets/witness.ts'

const WIDE = '6000'
let witness: Witness

beforeAll(async () => {
  witness = await startWitness({ RATE_TOKEN: WIDE, RATE_LOGIN_IP: WIDE, RATE_LOGIN_ACCOUNT: WIDE })
})
afterAll(() => witness.close())

test('the search finds what was planted, in every place and every form', async () => {
  const text = `planted-${randomBytes(16).toString('hex')}`
  await plantEverywhere(witness.installation, text)
  const columns = ['as_bytes', 'as_hex', 'as_json', 'as_list', 'as_text'].map((name) => `scratch.planted.${name}`)
  const expected = [
    ...['eu', 'us'].flatMap((name) => [`NATS ${name}, stream planted, planted`, `S3 ${name}, planted-${text}`]),
    ...['hash', `key-${text}`, 'text'].map((name) => `Redis 1, planted-${name}`),
    ...['directory', 'eu', 'us'].flatMap((name) => columns.map((column) => `database ${name}, ${column}`)),
    ...['front-door', 'region eu', 'region us'].map((name) => `the log of ${name}`),
    'a trace',
  ]
  // Nothing a caller says comes into a span, so there it is looked for by the name of one.
  const wanted = [needle('the text', text), needle('a span', '"name":"platform.read_health"')]
  const places = async () => search(await witness.readAll(), wanted).map(({ place }) => place)
  await expect.poll(async () => new Set(await places()), { timeout: 20_000 }).toEqual(new Set(expected))
  await removePlanted(text)
})

test(
  'no password, verifier, key, secret, token or code is written down anywhere, whatever is sent',
  { timeout: 120_000 },
  async () => {
    const safe = openSafe()
    keepSettings(safe, witness.installation)
    for (const { clientSecret, login } of [northwind, harborline]) {
      safe.keep('the secret of a persona', clientSecret)
      safe.keep('the verifier of a persona', Buffer.from(login.authVerifier, 'base64'))
    }
    const traveller = createTraveller(witness, safe)
    const company = await openAccount(traveller, 'company', 'eu')
    await openAccount(traveller, 'person', 'us')
    const client = await openClients(traveller, company)
    await walkCodeFlow(traveller, company, client)
    await sendOdd(traveller, company, client)
    await changeAccount(traveller, company)
    for (const mail of witness.installation.mail.taken) {
      const [code] = /\b[0-9]{6}\b/.exec(mail.text) ?? []
      if (code !== undefined) safe.keepDigits('a mailed code', code)
    }
    await witness.settle()
    const written = (await witness.readAll()).filter(({ place }) => !place.startsWith('a mail to'))
    expect(describeFindings(search(written, safe.needles))).toEqual([])
  },
)
