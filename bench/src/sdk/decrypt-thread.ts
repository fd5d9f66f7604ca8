import { parentPort, workerData } from 'node:worker_threads'
import { createCryptoPlatform, type PassphraseWrap, unwrapByPassphrase } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { bareOpen, importBareOpeningKey } from '../crypto/sides.ts'

/** What every thread gets at its start. */
export interface Threads {
  readonly frontDoorUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly wrappedKey: PassphraseWrap
  readonly passphrase: string
  readonly wrappers: readonly string[]
  readonly valuesPerConnection: number
}

export interface ThreadTask {
  readonly side: 'ours' | 'bare'
  readonly connections: number
}

/** Enough to keep the threads of WebCrypto's pool busy. */
const IN_FLIGHT = 16
/** As many copies as the SDK has: Node locks a key while RSA works with it. */
const BARE_KEYS = 4

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given by decryption.ts
const given = workerData as Threads
const { frontDoorUrl, clientId, clientSecret, wrappers, valuesPerConnection: size } = given
const client = new ServiceClient({ frontDoorUrl, clientId, clientSecret, pins: memoryPins() })
const key = await ServiceKey.fromWrap(given.wrappedKey, given.passphrase)
const bareKeys = await Promise.all(Array.from({ length: BARE_KEYS }, importBareKey))
const connections = Array.from({ length: wrappers.length / size }, (_, place) => connectionAt(place))
// Reads the registry, which later calls have in their cache.
await decrypt(0)

parentPort?.on('message', (task: ThreadTask) => void run(task).then(answer))
answer('ready')

function answer(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
  parentPort?.postMessage(message)
}

async function run({ side, connections: count }: ThreadTask): Promise<number> {
  const work = side === 'ours' ? decrypt : openBare
  let [next, done] = [0, 0]
  const follow = async (): Promise<void> => {
    while (next < count) {
      const place = next
      next += 1
      await work(place)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, follow))
  return done
}

async function decrypt(place: number): Promise<void> {
  const connection = connections[place % connections.length]
  if (connection === undefined) throw new Error('there is no connection')
  const values = Object.values(await client.values.decrypt(connection, key))
  if (!values.every(({ kind }) => kind === 'text')) throw new Error('a value could not be opened')
}

async function openBare(place: number): Promise<void> {
  const connection = connections[place % connections.length]
  const bareKey = bareKeys[place % BARE_KEYS]
  if (connection === undefined || bareKey === undefined) throw new Error('there is no connection or no key')
  for (const { value } of Object.values(connection.values)) {
    if ((await bareOpen(bareKey, value)) === '') throw new Error('a value could not be opened')
  }
}

function connectionAt(place: number) {
  const own = wrappers.slice(place * size, (place + 1) * size)
  const slugs = own.map((_, number) => `value_${number}`)
  return {
    id: `connection-${place}`,
    fields: slugs.map((slug) => ({ slug, type: 'text' })),
    values: Object.fromEntries(own.map((value, number) => [`value_${number}`, { value }])),
  }
}

async function importBareKey(): ReturnType<typeof importBareOpeningKey> {
  const platform = createCryptoPlatform(globalThis)
  const unwrapped = await unwrapByPassphrase(platform, given.wrappedKey, new Secret(given.passphrase))
  if (!unwrapped.ok) throw new Error(`refused: ${unwrapped.refusal}`)
  return importBareOpeningKey(unwrapped.value.reveal())
}
