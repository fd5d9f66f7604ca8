import { type NatsConnection, RequestError } from '@nats-io/transport-node'
import type { Parties } from '@sealpost/bus'
import { subjectOf } from '@sealpost/bus/credentials'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import { expect, test } from 'vitest'
import { createBusLogins } from '../../engines/bus-logins.ts'
import { startPrivateNats } from '../../engines/nats.ts'
import { waitUntil } from '../../engines/wait-until.ts'
import { type BusParty, type BusSite, DIRECTORY, echo, EU, note, US, WAIT_MS } from './site.ts'

const REQUEST = JSON.stringify({ command: echo.command, id: 'x', body: { text: 'x' }, traceparent: null })

export function describeIdentity(site: () => BusSite): void {
  test('a party cannot ask or tell in the name of another', async () => {
    const asked: string[] = []
    const eu = await site().open(EU, { register: (bus) => answering(bus, asked) })
    const us = await site().connectTo(EU, US)
    const refused = refusals(us)
    for (const name of ['ask', 'sync', 'tell'] as const)
      us.publish(subjectOf(name, { source: DIRECTORY, target: EU }), REQUEST)
    await us.flush()
    await waitUntil('the server has refused all three', WAIT_MS, () => refused.length === 3)
    // The same message in its own name is answered.
    const answer = await us.request(subjectOf('ask', { source: US, target: EU }), REQUEST, { timeout: WAIT_MS })
    expect(answer.json()).toMatchObject({ ok: true })
    expect(asked).toEqual(['us'])
    await eu.close()
  })

  test('a party is believed at one NATS only: no user of a region’s server reaches the directory as another region', async () => {
    const asked: string[] = []
    const directory = await site().open(DIRECTORY, { register: (bus) => answering(bus, asked) })
    const anything = await site().connectTo(EU, 'observer')
    const ask = (as: typeof EU) => anything.request(subjectOf('ask', { source: as, target: DIRECTORY }), REQUEST)
    const error = await ask(US).catch((thrown: unknown) => thrown)
    expect(error instanceof RequestError && error.isNoResponders()).toBe(true)
    expect(asked).toEqual([])
    await directory.close()
  })

  test('no answer is sent to a reply subject outside the inbox of the asking party', async () => {
    const asked: string[] = []
    const telemetry = recordingTelemetry()
    const eu = await site().open(EU, { telemetry, register: (bus) => answering(bus, asked) })
    const us = await site().connectTo(EU, US)
    const heard = await tap(await site().connectTo(EU, 'observer'))
    const targets = [
      subjectOf('ask', { source: DIRECTORY, target: EU }),
      '$JS.API.STREAM.DELETE.sealpost_tell_eu_us',
      '_INBOX.directory.abc',
      '_INBOX.usual.abc',
    ]
    for (const reply of targets) us.publish(subjectOf('ask', { source: US, target: EU }), REQUEST, { reply })
    await waitForLog(telemetry, 'foreign reply subject', targets.length)
    expect(asked).toEqual([])
    expect(heard.filter(({ subject }) => targets.includes(subject))).toEqual([])
    await eu.close()
  })

  test('a message of a stream that a party had delivered to a subject of another is discarded', async () => {
    const asked: string[] = []
    const telemetry = recordingTelemetry()
    const eu = await site().open(EU, { telemetry, register: (bus) => answering(bus, asked) })
    const idle = await site().open(US, { roles: { inbox: false } })
    await eu.tellNote(US, 'k', 'waits for us')
    const us = await site().connectTo(EU, US)
    const foreign = subjectOf('ask', { source: DIRECTORY, target: EU })
    // It arrives at the subscription with its own subject and with a reply subject of JetStream.
    await waitUntil('the tell was delivered to a foreign subject', WAIT_MS, () => {
      us.publish('$JS.API.CONSUMER.MSG.NEXT.sealpost_tell_eu_us.us', '{"batch":1,"no_wait":true}', { reply: foreign })
      return telemetry.text().includes('"reply":"$JS.ACK.sealpost_tell_eu_us')
    })
    expect(telemetry.text()).toContain('foreign reply subject')
    expect(asked).toEqual([])
    await Promise.all([eu.close(), idle.close()])
  })

  test('a NATS that requires no login is not used by a party that has one', async () => {
    const open = await startPrivateNats()
    const telemetry = recordingTelemetry()
    const own = { servers: [open.url], key: createBusLogins().key(EU, EU) }
    const eu = await site().open(EU, { telemetry, parties: { eu: own } satisfies Parties })
    await waitForLog(telemetry, 'requires no login and is not used', 1)
    expect((await eu.bus.health()).awayCarriers).toEqual(['eu'])
    await eu.close()
    await open.remove()
  })

  test('a NATS that comes back without logins is not used until it requires them again', async () => {
    const logins = createBusLogins(['eu'])
    const account = { ...logins.server(EU) }
    const nats = await startPrivateNats({ account })
    const telemetry = recordingTelemetry()
    const parties = { eu: { servers: [nats.url], key: logins.key(EU, EU) } }
    const eu = await site().open(EU, { telemetry, parties })
    const isAway = async () => (await eu.bus.health()).awayCarriers.length === 1
    const restart = async (config: string): Promise<void> => {
      await nats.kill()
      account.config = config
      await nats.start()
    }
    const { config } = account
    await waitUntil('eu is connected', WAIT_MS, async () => !(await isAway()))
    await restart('')
    await waitForLog(telemetry, 'requires no login and is not used', 1)
    expect(await isAway()).toBe(true)
    await restart(config)
    await eu.tellNote(EU, 'k', 'heard again')
    expect(await eu.waitUntilHeard(1)).toEqual(['heard again'])
    await eu.close()
    await nats.remove()
  })

  test('a login that the server does not know is reported with what to do', async () => {
    const telemetry = recordingTelemetry()
    const parties = { eu: { servers: [site().nats.eu.url], key: createBusLogins().key(EU, EU) } }
    const eu = await site().open(EU, { telemetry, parties })
    await waitForLog(telemetry, 'NATS refuses our login', 1)
    expect(telemetry.text()).toContain('docs/runbooks/bus-credentials.md')
    await eu.close()
  })
}

function answering(bus: BusParty['bus'], asked: string[]): void {
  bus.onTell(note, () => Promise.resolve())
  bus.onRead(echo, ({ body, from }) => {
    asked.push(from)
    return Promise.resolve(body)
  })
}

/** Everything that is sent through a server. */
async function tap(
  connection: NatsConnection,
): Promise<readonly { readonly subject: string; readonly reply: string }[]> {
  const heard: { subject: string; reply: string }[] = []
  connection.subscribe('>', {
    callback: (_error, { subject, reply = '' }) => void heard.push({ subject, reply }),
  })
  await connection.flush()
  return heard
}

function refusals(connection: NatsConnection): readonly string[] {
  const refused: string[] = []
  const watch = async (): Promise<void> => {
    for await (const status of connection.status()) if (status.type === 'error') refused.push(String(status.error))
  }
  void watch()
  return refused
}

async function waitForLog(telemetry: RecordingTelemetry, text: string, times: number): Promise<void> {
  const count = (): number => telemetry.text().split(text).length - 1
  await waitUntil(`the log says "${text}"`, WAIT_MS, () => count() >= times)
}
