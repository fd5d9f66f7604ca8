import { refuse } from '@sealpost/protocol'
import { openTables } from '@sealpost/testkit'
import { createBusLogins, startPrivateNats } from '@sealpost/testkit/engines'
import { afterAll, expect, test } from 'vitest'
import { type AskContract, type Asker, busMigrations, openAsker, openBus, parseParty } from './index.ts'
import { FORWARDER } from './parties.ts'

const EU = parseParty('eu')
const WAIT_MS = 20_000
const logins = createBusLogins(['eu'])
const nats = await startPrivateNats({ account: logins.server(EU) })
const tables = await openTables('bus', busMigrations)
const at = (party: typeof EU) => ({ directory: null, eu: { servers: [nats.url], key: logins.key(party, EU) } })
const region = openBus({
  ...tables,
  self: EU,
  parties: at(EU),
  roles: { relay: false, inbox: false, responder: true },
  askTimeoutMs: WAIT_MS,
})
const forwarder: Asker = openAsker({ ...tables, parties: at(FORWARDER), askTimeoutMs: WAIT_MS })
const answered: string[] = []

interface Text {
  readonly text: string
}

function contract(command: string, askedBy?: 'parties' | 'forwarder'): AskContract<Text, Text> {
  const parse = (value: unknown): Text => value as Text
  return { command, idempotency: 'none', parse, parseReply: parse, ...(askedBy === undefined ? {} : { askedBy }) }
}

const own = contract('test.of_forwarder', 'forwarder')
const refused = contract('test.refused', 'forwarder')
const ofParties = contract('test.of_parties')

for (const each of [own, ofParties])
  region.onRead(each, ({ from, body }) => {
    answered.push(`${each.command} of ${from}`)
    return Promise.resolve(body)
  })
region.onRead(refused, () => Promise.reject(refuse('plugin.not_found')))
await region.start()

afterAll(async () => {
  await forwarder.close()
  await region.close()
  await nats.remove()
})

test('the forwarder asks without a database, and hears answers and refusals', async () => {
  expect(await forwarder.ask(own, { to: EU, body: { text: 'x' } })).toEqual({ text: 'x' })
  await expect(forwarder.ask(refused, { to: EU, body: { text: 'x' } })).rejects.toMatchObject({
    key: 'plugin.not_found',
  })
})

test('a region answers the forwarder its own asks and no others, and those to no other party', async () => {
  answered.length = 0
  await expect(forwarder.ask(ofParties, { to: EU, body: { text: 'x' } })).rejects.toMatchObject({
    key: 'region.unreachable',
  })
  await expect(region.ask(own, { to: EU, body: { text: 'x' } })).rejects.toMatchObject({ key: 'region.unreachable' })
  expect(answered).toEqual([])
  expect(await region.ask(ofParties, { to: EU, body: { text: 'x' } })).toEqual({ text: 'x' })
  expect(answered).toEqual(['test.of_parties of eu'])
})

test('bodies of a description’s size are sent whole, in both directions', async () => {
  const text = 'ä'.repeat(200 * 1024)
  expect(await forwarder.ask(own, { to: EU, body: { text } })).toEqual({ text })
})
