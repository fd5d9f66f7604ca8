import { createPrivateKey } from 'node:crypto'
import { isWrapper, createCryptoPlatform } from '@sealpost/crypto'
import { type DemoVerifier, startDemoVerifier, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptContracts } from './secrets/documents-stage.ts'
import { exchangeMessages } from './secrets/messages-stage.ts'
import { needle } from './secrets/needles.ts'
import { type Heap, startRecorder, type Recorder } from './secrets/recorder.ts'
import { playRun } from './secrets/runs-stage.ts'
import { describeFindings, type Piece, search } from './secrets/search.ts'
import { openSecretSet } from './secrets/secret-set.ts'
import { clearMarks, documentMarks, messageMarks, runMarks, sealedMarks } from './secrets/sharing-marks.ts'
import {
  fillVault,
  forgetToSeal,
  type SharingSite,
  openSharingSite,
  prepareService,
  readEverything,
  share,
} from './secrets/sharing-stage.ts'
import { recordNats } from './secrets/traffic.ts'

const WIDE = '6000'
const sealed = sealedMarks()
const clear = clearMarks()
const documents = documentMarks()
const messages = messageMarks()
const runs = runMarks()

let verifier: DemoVerifier
let recorder: Recorder
let taps: readonly { close(): Promise<void> }[]
let site: SharingSite
let connectionId = ''
/** Everything that was written, sent or stored at any time. */
let written: readonly Piece[] = []
/** What the person found in the sealed PDF. */
let contracts: readonly Piece[] = []
let oneTimeKeys: readonly string[] = []
/** The messages that both sides opened. */
let threads: readonly Piece[] = []
/** The answers, files and shown values of a run that its parties opened. */
let run: readonly Piece[] = []
/** Of the regions, after the documents of the run were made. */
let heaps: readonly Heap[] = []
/** The values that the company opened with its key. */
let opened: readonly Piece[] = []

beforeAll(async () => {
  verifier = await startDemoVerifier()
  recorder = await startRecorder({
    RATE_TOKEN: WIDE,
    RATE_LOGIN_IP: WIDE,
    RATE_LOGIN_ACCOUNT: WIDE,
    VERIFIERS: verifier.setting,
  })
  taps = await Promise.all(recorder.installation.nats.map((nats) => recordNats(nats, recorder.record)))
  site = await openSharingSite(recorder, clear, privateKeyOf)
  await prepareService(site, clear)
  await fillVault(site, sealed, clear, verifier)
  const vault = await recorder.readStored()
  connectionId = await share(site, sealed)
  const shared = await recorder.readStored()
  // The last change of its lane: all changes before it have arrived.
  await waitUntil('the last change arrives', 20_000, async () => (await readNote()) === sealed.remapped)
  await forgetToSeal(site, connectionId, sealed.refused)
  opened = await readEverything(site, connectionId)
  const accepted = await acceptContracts({ ...site, ...site.raw, recorder, connectionId }, documents)
  contracts = accepted.opened
  threads = await exchangeMessages(site, connectionId, messages)
  const played = await playRun(site, recorder, connectionId, runs)
  run = played.opened
  oneTimeKeys = [accepted.oneTimeKey, played.oneTimeKey]
  heaps = await recorder.readHeaps()
  await recorder.stop()
  for (const tap of taps) await tap.close()
  written = [...vault, ...shared, ...(await recorder.readAll())]
})
afterAll(async () => {
  await recorder.close()
  await verifier.close()
})

test('the company opened all shared values', () => {
  const { refused: _refused, scan: _scan, name: _name, typed: _typed, ...last } = sealed
  const missing = Object.entries(last).filter(([, text]) => placesOf(opened, text).length === 0)
  expect(missing.map(([name]) => name)).toEqual([])
})

test('the search finds clear values in every place where they are allowed', () => {
  const unseen = (text: string, places: readonly string[]): readonly string[] => {
    const found = placesOf(written, text)
    return places.filter((start) => !found.some((place) => place.startsWith(start)))
  }
  const display = ['NATS eu, traffic', 'database eu, connections_service.', 'database us, account.']
  expect(unseen(clear.display, [...display, 'answers to the service'])).toEqual([])
  for (const text of [clear.photo, clear.card])
    expect(unseen(text, ['S3 eu', 'S3 us', 'requests of the person', 'answers to the service'])).toEqual([])
})

test('no value that a person shares is readable anywhere: tables, objects, queues, traffic, logs, traces, answers [CRYPTO-11]', () => {
  const secrets = openSecretSet()
  for (const [name, text] of Object.entries(sealed)) secrets.keep(name, text)
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})

test('no content of a document for one person is readable anywhere, although the platform has sealed it [CRYPTO-11]', () => {
  const secrets = openSecretSet()
  for (const [name, text] of Object.entries(documents)) secrets.keep(name, text)
  expect(placesOf(contracts, documents.newContract)).not.toEqual([])
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})

test('no message between a service and its customer is readable anywhere [CRYPTO-11]', () => {
  const secrets = openSecretSet()
  for (const [name, text] of Object.entries(messages)) secrets.keep(name, text)
  for (const text of Object.values(messages)) expect(placesOf(threads, text)).toHaveLength(2)
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})

test('no answer, file or shown value of a run is readable anywhere', () => {
  const secrets = openSecretSet()
  for (const [name, text] of Object.entries(runs)) secrets.keep(name, text)
  // Two readers each.
  for (const [name, text] of Object.entries(runs)) expect([name, placesOf(run, text).length]).toEqual([name, 2])
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})

test('after the call that makes documents no answer, file or key of it is left on the heap of a region', () => {
  for (const { place, content } of heaps) {
    expect([place, content.includes('platform.read_health')]).toEqual([place, true])
    const left = [...Object.entries(runs), ...oneTimeKeys.entries()].filter(([, text]) => content.includes(text))
    expect([place, left.map(([name]) => name)]).toEqual([place, []])
  }
  expect(heaps).toHaveLength(2)
})

test('the keys under which answers and PDFs are handed over are in the calls and the asks, and nowhere else', () => {
  const findings = oneTimeKeys.flatMap((key) => search(written, [needle('a one-time key', key)]))
  const places = findings.map(({ place }) => place.replace(/,.*/, ''))
  expect(places).toContain('requests of the person')
  expect(places.filter((place) => !/^(requests of the person|NATS (eu|us))$/.test(place))).toEqual([])
  expect(findings.filter(({ place }) => place.startsWith('NATS') && !place.includes('traffic'))).toEqual([])
})

test('the platform stores nothing that opens them: no private key, passphrase or password [CRYPTO-11] [CRYPTO-16]', () => {
  const secrets = openSecretSet()
  secrets.keep('the passphrase of the service', site.passphrase)
  secrets.keep('its 32 bytes', Buffer.from(site.passphrase, 'base64url'))
  // The middle of the key: the beginning is the same for all keys.
  secrets.keep('the private key of the service', site.servicePrivateKey.slice(400, 460))
  secrets.keep('the private key of the person', site.personPrivateKey.slice(400, 460))
  secrets.keep('the password of the person', site.password)
  expect(Buffer.from(site.passphrase, 'base64url')).toHaveLength(32)
  expect(describeFindings(search(written, secrets.needles))).toEqual([])
})

test('files that are not private are in the object stores and in answers, and nowhere else', () => {
  const allowed = ['S3 eu', 'S3 us', 'requests of the person', 'answers to the person', 'answers to the service']
  const findings = search(written, [needle('a public photo', clear.photo), needle('a public card', clear.card)])
  const elsewhere = findings.filter(({ place }) => !allowed.some((start) => place.startsWith(start)))
  expect(describeFindings(elsewhere)).toEqual([])
})

test('business cards and display names are in no log and no trace', () => {
  const business = needle('a business card', clear.business.replaceAll(' ', '-'))
  const findings = search(written, [business, needle('a display name', clear.display)])
  const logged = findings.filter(({ place }) => /^(the log|a trace|the metrics|Redis)/.test(place))
  expect(describeFindings(logged)).toEqual([])
  expect(findings.some(({ name, place }) => name === 'a business card' && place.startsWith('database us'))).toBe(true)
})

test('answers to the service contain only ciphertext [CRYPTO-11]', () => {
  const platform = createCryptoPlatform(globalThis)
  const answers = written.filter(({ place }) => place.startsWith('answers to the service'))
  const values = answers.flatMap(({ content }) =>
    [
      ...Buffer.from(content)
        .toString()
        .matchAll(/"value":("(?:[^"\\]|\\.)*")/g),
    ].map(([, text = '""']) => JSON.parse(text)),
  )
  // In a run, the value of a file answer is the handle of a sealed copy.
  const isHandle = (value: string): boolean => /^\{"_enc_file":"af_[0-9a-f-]{36}"\}$/.test(value)
  const clearFiles = values.filter((value: string) => !isWrapper(platform, value) && !isHandle(value))
  expect(values.length).toBeGreaterThan(10)
  // The one clear envelope: a card that the person made public.
  for (const value of clearFiles) expect(JSON.parse(value)).toMatchObject({ name: clear.card })
})

function placesOf(pieces: readonly Piece[], text: string): readonly string[] {
  return search(pieces, [needle('it', text)]).map(({ place }) => place)
}

async function readNote(): Promise<unknown> {
  const { values } = await site.service.connections.get(connectionId)
  return (await site.service.values.decryptValue(values['note'] ?? {}, 'text', site.key)).value
}

function privateKeyOf(pem: string, passphrase: string): Uint8Array {
  return createPrivateKey({ key: pem, passphrase }).export({ format: 'der', type: 'pkcs8' })
}
