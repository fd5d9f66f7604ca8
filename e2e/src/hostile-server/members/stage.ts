import { AccountClient, CustomerClient, type KeyPins, ServiceClient } from '@sealpost/sdk'
import { pngWith } from '../../sharing/pictures.ts'
import type { Clients, Facts, Journey } from './journey.ts'
import { openPartyWorld, type PartyWorld, requestedFields } from './party-world.ts'
import { withOneReplyKey } from './reply-key.ts'
import { newTape, type Tape, type Tamper } from './tape.ts'

/** What a device or a backend remembers. */
type Memory = ReadonlyMap<string, string>

/** A journey that has been made once, with an honest server. */
export interface Recorded {
  readonly journey: Journey
  readonly tape: Tape
  /** Nothing, and everything that the journey and those before it have pinned. */
  readonly memories: Readonly<Record<'first' | 'after', Memory>>
  readonly again: (memory: Memory, tamper: Tamper) => Promise<Outcome>
}

/** How a journey ends. */
export interface Outcome {
  readonly error: unknown
  /** What the client believes, and where it has sent something. */
  readonly believed: string
  readonly seen: ReturnType<Tape['replay']>['seen']
  readonly isChanged: boolean
}

const SOON = { pollSeconds: 0.05 }
const NOW = { maxWaitSeconds: 0, wait: () => Promise.resolve() }

export interface MembersStage {
  readonly world: PartyWorld
  record(journey: Journey): Promise<Recorded>
}

export async function openMembersStage(): Promise<MembersStage> {
  const world = await openPartyWorld()
  const [device, backend, office] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()]
  const clients = clientsOf(world, world.fetch, { device, backend, office })
  const facts = await prepare(world, clients)
  return {
    world,
    async record(journey) {
      const tape = newTape(world.fetch, world.computed)
      const pins = { device: new Map(device), backend: new Map(backend), office: new Map(office) }
      await journey.go({ world, facts, ...clientsOf(world, tape.record, pins) })
      const after = new Map([...pins.device, ...pins.backend, ...pins.office, ...device, ...backend, ...office])
      return {
        journey,
        tape,
        memories: { first: new Map(), after },
        async again(memory, tamper) {
          const replay = tape.replay(tamper)
          const own = new Map(memory)
          const party = clientsOf(world, replay.fetch, { device: own, backend: own, office: own })
          const [believed, error] = await withOneReplyKey(() => journey.go({ world, facts, ...party })).then(
            (value) => [value, null] as const,
            (reason: unknown) => [null, reason] as const,
          )
          const sent = replay.seen.map(({ method, path, origin }) => `${method} ${origin}${path}`)
          return {
            error,
            believed: JSON.stringify([believed, sent]),
            seen: replay.seen,
            isChanged: replay.isChanged(),
          }
        },
      }
    },
  }
}

type Pins = Readonly<Record<'device' | 'backend' | 'office', KeyPins>>

function clientsOf(world: PartyWorld, fetch: typeof globalThis.fetch, pins: Pins): Omit<Clients, 'world' | 'facts'> {
  const { frontDoorUrl, service, mara, maraKey: key } = world
  return {
    fetch,
    app: new CustomerClient({ ...NOW, accessToken: () => Promise.resolve(mara), key, pins: pins.device, fetch }),
    backend: new ServiceClient({ ...NOW, frontDoorUrl, ...service.client, pins: pins.backend, fetch }),
    office: new AccountClient({
      ...NOW,
      accessToken: () => Promise.resolve(service.company),
      pins: pins.office,
      fetch,
    }),
  }
}

/** What is there before the first lie: a connection with values, and runs at each step. */
async function prepare(world: PartyWorld, { app, backend }: Pick<Clients, 'app' | 'backend'>): Promise<Facts> {
  const { mara, service, serviceKey } = world
  await app.contactData.put(mara.field('first_name'), 'Mara')
  const photoId = mara.field('photo')
  const file = { bytes: pngWith('first'), mimeType: 'image/png', originalName: 'own.png' }
  await app.contactData.put(photoId, { file })
  const connection = await app.connect(service.code, {
    name: { from: mara.field('first_name') },
    photo: { from: photoId },
    note: { value: 'after six' },
  })
  const { id: connectionId } = connection
  await backend.values.decrypt(await backend.connections.get(connectionId), serviceKey)
  await backend.messages.send(connectionId, 'hello', serviceKey)
  const document = {
    name: 'A letter',
    kind: 'document',
    target: { connection_id: connectionId },
    value: 'hello',
  } as const
  await backend.documents.send(document)
  const { id: offerId } = await backend.documents.send({ ...document, requires_acceptance: true })
  await service.publish([...requestedFields(world.pluginId), { slug: 'later', label: 'Later' }])
  const [ours, theirs, done] = [await started(), await started(), await started()]
  const priced = await started(world.pricingId)
  await backend.flows.answer(theirs, { amount: { value: 40 } }, serviceKey)
  await backend.flows.answer(done, { amount: { value: 40 } }, serviceKey)
  await finish()
  await app.flows.waitForTurn({ id: theirs, connection_id: connectionId }, SOON)
  const { code: otherCode } = await world.another()
  return { connectionId, photoId, offerId, otherCode, ours, theirs, done, priced }

  async function started(flowId = world.flowId): Promise<string> {
    const targets = { targets: { customer: { connection_id: connectionId } } }
    return (await backend.flows.start(flowId, targets, serviceKey)).id
  }

  async function finish(): Promise<void> {
    const run = { id: done, connection_id: connectionId }
    await app.flows.waitForTurn(run, SOON)
    const offer = await app.flows.plugin(run, 'offer', {})
    const [classic] = (await offer.options('product')).options
    offer.pick('product', classic ?? { id: '', label: '' })
    await app.flows.answer(run, { nick: { value: 'Mars' }, offer: { plugin: offer } })
    await app.flows.waitForEnd(run, SOON)
    await backend.flows.waitForEnd(done, SOON)
  }
}
