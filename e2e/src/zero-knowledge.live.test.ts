import { createPrivateKey } from 'node:crypto'
import { isWrapper, createCryptoPlatform } from '@sealpost/crypto'
import { type DemoVerifier, startDemoVerifier, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needle } from './secrets/needles.ts'
import { openSafe } from './secrets/safe.ts'
import { describeFindings, type Piece, search } from './secrets/search.ts'
import { clearMarks, sealedMarks } from './secrets/sharing-marks.ts'
import {
  fillVault,
  forgetToSeal,
  type Journey,
  openJourney,
  prepareService,
  readEverything,
  share,
} from './secrets/sharing-stage.ts'
import { tapNats } from './secrets/wire-tap.ts'
import { startWitness, type Witness } from './secrets/witness.ts'

const WIDE = '6000'
const sealed = sealedMarks()
const clear = clearMarks()

let verifier: DemoVerifier
let witness: Witness
let taps: readonly { close(): Promise<void> }[]
let journey: Journey
let connectionId = ''
/** Everything that was written, said or stored, at any time. */
let written: readonly Piece[] = []
/** What the company opened with its key: that the journey was real. */
let opened: readonly Piece[] = []

beforeAll(async () => {
  verifier = await startDemoVerifier()
  witness = await startWitness({
    RATE_TOKEN: WIDE,
    RATE_LOGIN_IP: WIDE,
    RATE_LOGIN_ACCOUNT: WIDE,
    VERIFIERS: verifier.setting,
  })
  const regions = (witness.installation.environment.frontDoor['REGIONS'] ?? '').split(',')
  taps = await Promise.all(
    regions.map((region, at) => tapNats(at === 0 ? 'eu' : 'us', region.split('|')[3] ?? '', witness.note)),
  )
  journey = await openJourney(witness, clear, privateKeyOf)
  await prepareService(journey, clear)
  await fillVault(journey, sealed, clear, verifier)
  const vault = await witness.readStored()
  connectionId = await share(journey, sealed)
  const shared = await witness.readStored()
  // The last change of one lane: everything before it has arrived with it.
  await waitUntil('the last change arrives', 20_000, async () => (await readNote()) === sealed.remapped)
  await forgetToSeal(journey, connectionId, sealed.refused)
  opened = await readEverything(journey, connectionId)
  await witness.settle()
  for (const tap of taps) await tap.close()
  written = [...vault, ...shared, ...(await witness.readAll())]
}, 240_000)
afterAll(async () => {
  await witness.close()
  await verifier.close()
})

test('the company opened all of it: the journey was real', () => {
  const { refused: _refused, scan: _scan, name: _name, typed: _typed, ...last } = sealed
  const missing = Object.entries(last).filter(([, text]) => placesOf(opened, text).length === 0)
  expect(missing.map(([name]) => name)).toEqual([])
})

test('the search sees every place: what may be there in the clear is found there', () => {
  const unseen = (text: string, places: readonly string[]): readonly string[] => {
    const found = placesOf(written, text)
    return places.filter((start) => !found.some((place) => place.startsWith(start)))
  }
  const display = ['NATS eu, traffic', 'database eu, connections_service.', 'database us, account.']
  expect(unseen(clear.display, [...display, 'what the service is told'])).toEqual([])
  for (const text of [clear.photo, clear.card])
    expect(unseen(text, ['S3 eu', 'S3 us', 'what the person sends', 'what the service is told'])).toEqual([])
})

test('no value that a person shares is readable anywhere: tables, objects, queues, traffic, logs, traces, answers [CRYPTO-11]', () => {
  const safe = openSafe()
  for (const [name, text] of Object.entries(sealed)) safe.keep(name, text)
  expect(describeFindings(search(written, safe.needles))).toEqual([])
})

test('nothing that opens them is held by the platform either: private keys, passphrase, password [CRYPTO-11] [CRYPTO-16]', () => {
  const safe = openSafe()
  safe.keep('the passphrase of the service', journey.passphrase)
  safe.keep('its 32 bytes', Buffer.from(journey.passphrase, 'base64url'))
  // Its middle: the beginning of any such key says only that it is one.
  safe.keep('the private key of the service', journey.servicePrivateKey.slice(400, 460))
  safe.keep('the private key of the person', journey.personPrivateKey.slice(400, 460))
  safe.keep('the password of the person', journey.password)
  expect(Buffer.from(journey.passphrase, 'base64url')).toHaveLength(32)
  expect(describeFindings(search(written, safe.needles))).toEqual([])
})

test('files that are not private are in the object stores and in answers, and nowhere else', () => {
  const allowed = ['S3 eu', 'S3 us', 'what the person sends', 'what the person is told', 'what the service is told']
  const findings = search(written, [needle('a public photo', clear.photo), needle('a public card', clear.card)])
  const elsewhere = findings.filter(({ place }) => !allowed.some((start) => place.startsWith(start)))
  expect(describeFindings(elsewhere)).toEqual([])
})

test('business cards and display names are in no log and no trace', () => {
  const business = needle('a business card', clear.business.replaceAll(' ', '-'))
  const findings = search(written, [business, needle('a display name', clear.display)])
  const told = findings.filter(({ place }) => /^(the log|a trace|the metrics|Redis)/.test(place))
  expect(describeFindings(told)).toEqual([])
  expect(findings.some(({ name, place }) => name === 'a business card' && place.startsWith('database us'))).toBe(true)
})

test('what the service was told is ciphertext and nothing else [CRYPTO-11]', () => {
  const platform = createCryptoPlatform(globalThis)
  const told = written.filter(({ place }) => place.startsWith('what the service is told'))
  const values = told.flatMap(({ content }) =>
    [
      ...Buffer.from(content)
        .toString()
        .matchAll(/"value":("(?:[^"\\]|\\.)*")/g),
    ].map(([, text = '""']) => JSON.parse(text)),
  )
  const clearFiles = values.filter((value: string) => !isWrapper(platform, value))
  expect(values.length).toBeGreaterThan(10)
  // The one clear envelope: a card that the person made public.
  for (const value of clearFiles) expect(JSON.parse(value)).toMatchObject({ name: clear.card })
})

function placesOf(pieces: readonly Piece[], text: string): readonly string[] {
  return search(pieces, [needle('it', text)]).map(({ place }) => place)
}

async function readNote(): Promise<unknown> {
  const { values } = await journey.service.connections.get(connectionId)
  return (await journey.service.values.decryptValue(values['note'] ?? {}, 'text', journey.key)).value
}

function privateKeyOf(pem: string, passphrase: string): Uint8Array {
  return createPrivateKey({ key: pem, passphrase }).export({ format: 'der', type: 'pkcs8' })
}
