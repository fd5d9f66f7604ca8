import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { parseParty } from '@sealpost/bus'
import { loginWith } from '@sealpost/bus/credentials'
import { createBusLogins, type NatsAccount, startPrivateNats } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkNats, deleteStreams, type NatsAddress } from './nats.ts'

const EU = parseParty('eu')
const STREAM = 'sealpost_tell_eu_us'
const logins = createBusLogins()
const account: NatsAccount = logins.server(EU)
let nats: Awaited<ReturnType<typeof startPrivateNats>>
let address: NatsAddress

beforeAll(async () => {
  nats = await startPrivateNats({ account })
  address = { url: nats.url, party: 'eu', key: logins.key(EU, EU) }
})
afterAll(() => nats.remove())

test('a reset deletes the streams of a region with the login of the region, and leaves others', async () => {
  const observer = await connect({ servers: nats.url, authenticator: loginWith(account.observer) })
  const { streams } = await jetstreamManager(observer)
  await streams.add({ name: STREAM, subjects: ['sealpost.tell.eu.us'] })
  await streams.add({ name: 'foreign', subjects: ['foreign'] })
  await jetstream(observer).publish('foreign', 'kept')
  expect(await deleteStreams(address, [STREAM, 'sealpost_tell_eu_eu'])).toBe(1)
  const left: string[] = []
  for await (const name of streams.names()) left.push(name)
  expect(left).toEqual(['foreign'])
  await observer.close()
})

test('a server is checked with the login of the site', async () => {
  await expect(checkNats(address)).resolves.toBeUndefined()
  await expect(checkNats({ url: nats.url, party: 'eu' })).rejects.toThrow('Authorization Violation')
})
