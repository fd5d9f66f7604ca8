import { AuthorizationError, connect, createInbox, type NatsConnection } from '@nats-io/transport-node'
import type { Secret } from '@sealpost/kernel'
import { createBusLogins, type PrivateEngine, startPrivateNats } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carrierOfLink, DIRECTORY, FORWARDER, forwarderAsks, linksBetween, parseParty, type Party } from '../parties.ts'
import { inboxPrefix, subjectsOf } from '../subjects.ts'
import { createKey, loginWith } from './keys.ts'
import { streamApi } from './permissions.ts'

const [EU, US, AP] = [parseParty('eu'), parseParty('us'), parseParty('ap')]
const REGIONS = [EU, US, AP]
const logins = createBusLogins(REGIONS)
const { parties } = logins
const links = linksBetween(parties)
/** Every subject that the code can use, at whatever server: a new kind is in it by itself. */
const uses = [...links, ...forwarderAsks(parties)].flatMap(subjectsOf)

const accounts = new Map(REGIONS.map((region) => [region, logins.server(region)] as const))
const servers = new Map<Party, PrivateEngine>()
const open: NatsConnection[] = []

beforeAll(async () => {
  await Promise.all(
    REGIONS.map(async (region) => {
      const account = accounts.get(region)
      if (account !== undefined) servers.set(region, await startPrivateNats({ account }))
    }),
  )
})
afterAll(async () => {
  await Promise.all(open.map((connection) => connection.close()))
  await Promise.all([...servers.values()].map((server) => server.remove()))
})

describe.each(REGIONS)('at the NATS of %s', (region) => {
  describe.each(parties)('%s', (party) => {
    test('speaks as itself and in no other name', async () => {
      const allowed = uses.filter(({ at, speaker }) => at === region && speaker === party)
      const refused = await refusedPublications(
        region,
        party,
        uses.map(({ subject }) => subject),
      )
      expect(allowed.length).toBeGreaterThan(0)
      expect(refused).toEqual(
        without(
          uses.map(({ subject }) => subject),
          allowed.map(({ subject }) => subject),
        ),
      )
    })

    test('hears what is addressed to it, and nothing else', async () => {
      const inboxes = parties.map((each) => `${inboxPrefix(each)}.>`)
      const nets = ['>', 'sealpost.>', '_INBOX.>', '_INBOX.*.*.*', '$JS.>', '$JS.API.>', '$SYS.>', 'sealpost.*.*.*']
      const asked = [...uses.map(({ subject }) => subject), ...inboxes, ...nets]
      const allowed = uses.filter(({ at, listener }) => at === region && listener === party)
      const expected = without(asked, [...allowed.map(({ subject }) => subject), `${inboxPrefix(party)}.>`])
      expect(await refusedSubscriptions(region, party, asked)).toEqual(expected)
    })

    test('answers requests only: it cannot write into an inbox', async () => {
      const inboxes = parties.map((each) => createInbox(inboxPrefix(each)))
      expect(await refusedPublications(region, party, inboxes)).toEqual(inboxes.toSorted())
    })

    test('uses the streams that it is an end of, and only the region of the server makes or deletes one', async () => {
      const api = links.map((link) => ({ link, isHere: carrierOfLink(link) === region, ...streamApi(link) }))
      const asked = api.flatMap(({ owning, watching, reading }) => [...owning, ...watching, ...reading]).map(concrete)
      const allowed = api
        .filter(({ isHere }) => isHere)
        .flatMap(({ link, owning, watching, reading }) => [
          ...(party === region ? owning : []),
          ...(party === link.source || party === link.target ? watching : []),
          ...(party === link.target ? reading : []),
        ])
      expect(await refusedPublications(region, party, asked)).toEqual(without(asked, allowed.map(concrete)))
    })

    test('has no other part of JetStream', async () => {
      const asked = ['$JS.API.INFO', '$JS.API.STREAM.NAMES', '$JS.API.STREAM.LIST', ...links.flatMap(furtherApi)]
      expect(await refusedPublications(region, party, asked)).toEqual(asked.toSorted())
    })
  })

  test('no login, an unknown key, and a party’s key for another region’s server are refused', async () => {
    const other = REGIONS.find((each) => each !== region) ?? region
    for (const key of [null, createKey(), ...parties.map((party) => logins.key(party, other))])
      await expect(connectWith(region, key)).rejects.toBeInstanceOf(AuthorizationError)
  })
})

test('the party that was asked answers once, into the inbox of the party that asked', async () => {
  const [asking, asked] = [await connected(EU, US), await connected(EU, EU)]
  const { subject = '' } = subjectsOf({ source: US, target: EU }).find(({ name }) => name === 'ask') ?? {}
  const refused = refusals(asked)
  asked.subscribe(subject, {
    callback(_error, message) {
      message.respond('yes')
      message.respond('and no')
    },
  })
  await asked.flush()
  const answer = await asking.request(subject, 'may I?', { timeout: 5000 })
  expect(answer.string()).toBe('yes')
  expect(await refused()).toEqual([answer.subject])
})

test('the subjects of an attack on the bus are among those that are tried', () => {
  const tried = uses.map(({ subject }) => subject)
  expect(tried).toEqual(
    expect.arrayContaining([
      'sealpost.ask.directory.eu',
      'sealpost.ask.eu.directory',
      'sealpost.sync.us.eu',
      'sealpost.tell.directory.eu',
      'sealpost.notice.eu.us',
      'sealpost.wake.eu.us',
      'sealpost.ask.eu.forwarder',
    ]),
  )
  expect(parties).toEqual([DIRECTORY, FORWARDER, EU, US, AP])
})

/** The parts of the API that no party needs, for one stream. */
function furtherApi(link: (typeof links)[number]): readonly string[] {
  const stream = `sealpost_tell_${link.source}_${link.target}`
  const ofStream = ['STREAM.INFO', 'STREAM.UPDATE', 'STREAM.PURGE', 'STREAM.MSG.GET', 'STREAM.MSG.DELETE', 'DIRECT.GET']
  const ofConsumers = ['CONSUMER.CREATE', 'CONSUMER.NAMES', 'CONSUMER.LIST']
  const ofConsumer = ['CONSUMER.DURABLE.CREATE', 'CONSUMER.DELETE', 'CONSUMER.PAUSE']
  return [
    ...[...ofStream, ...ofConsumers].map((call) => `$JS.API.${call}.${stream}`),
    ...ofConsumer.map((call) => `$JS.API.${call}.${stream}.${link.target}`),
    `$JS.API.CONSUMER.CREATE.${stream}.of-another-name`,
  ]
}

/** A wildcard cannot be published to. */
function concrete(subject: string): string {
  return subject.replace(/>$/, '1.2.3.4.5')
}

function without(all: readonly string[], allowed: readonly string[]): readonly string[] {
  return [...new Set(all)].filter((subject) => !allowed.includes(subject)).toSorted()
}

async function refusedPublications(
  region: Party,
  party: Party,
  subjects: readonly string[],
): Promise<readonly string[]> {
  const connection = await connected(region, party)
  const refused = refusals(connection)
  for (const subject of subjects) connection.publish(subject)
  return refused()
}

async function refusedSubscriptions(
  region: Party,
  party: Party,
  subjects: readonly string[],
): Promise<readonly string[]> {
  const connection = await connected(region, party)
  const refused = refusals(connection)
  for (const subject of subjects) connection.subscribe(subject, { callback() {} })
  return refused()
}

/** The server reports every violation before it answers the ping of the flush. */
function refusals(connection: NatsConnection): () => Promise<readonly string[]> {
  const refused = new Set<string>()
  const watch = async (): Promise<void> => {
    for await (const status of connection.status())
      if (status.type === 'error' && 'subject' in status.error) refused.add(String(status.error.subject))
  }
  const watching = watch()
  return async () => {
    await connection.flush()
    await connection.close()
    await watching
    return [...refused].toSorted()
  }
}

async function connected(region: Party, party: Party): Promise<NatsConnection> {
  const connection = await connectWith(region, logins.key(party, region))
  open.push(connection)
  return connection
}

function connectWith(region: Party, key: Secret<string> | null): Promise<NatsConnection> {
  const login = key === null ? {} : { authenticator: loginWith(key) }
  return connect({ servers: servers.get(region)?.url ?? '', inboxPrefix: inboxPrefix(US), reconnect: false, ...login })
}
