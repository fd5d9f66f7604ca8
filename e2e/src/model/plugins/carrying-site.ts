import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCryptoPlatform, generateKeyPair } from '@sealpost/crypto'
import { instant } from '@sealpost/kernel'
import { AccountClient, AccountKey, CustomerClient, memoryPins, ServiceClient, ServiceKey } from '@sealpost/sdk'
import {
  type AppProcess,
  appProcess,
  flowAuthor,
  reservePort,
  ROOT,
  type Service,
  startWorld,
  type World,
} from '@sealpost/testkit'
import { type RecordingPlugin, startRecordingPlugin } from './recording-plugin.ts'

/** As the front door names it in passes. */
const FORWARDER_URL = 'https://forwarder.sealpost.example'

/** Two regions, a forwarder in a process of its own, a plugin behind it, and the two parties with the SDK. */
export interface CarryingSite extends AsyncDisposable {
  readonly forwarder: AppProcess
  readonly redisUrl: string
  /** Lines that the forwarder has written. */
  readonly logs: readonly string[]
  readonly plugin: RecordingPlugin
  readonly pluginId: string
  readonly service: Service
  readonly key: ServiceKey
  readonly company: ServiceClient
  readonly person: CustomerClient
  readonly connectionId: string
  publish(definition: object): Promise<string>
  /** Passes are made by the clock of the regions and checked by that of the process. */
  setClock(): void
}

export async function openCarryingSite(): Promise<CarryingSite> {
  const opened = new AsyncDisposableStack()
  try {
    return await openParts(opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function openParts(opened: AsyncDisposableStack): Promise<CarryingSite> {
  const world = opened.adopt(await startWorld(), (started) => started.close())
  const setClock = (): void => world.clock.set(instant(Date.now()))
  setClock()
  const plugin = opened.adopt(await startRecordingPlugin(), (started) => started.close())
  const logs: string[] = []
  const forwarder = opened.adopt(await startForwarder(opened, world, plugin, logs), (started) => started.stop())
  const reach: typeof globalThis.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    return address.startsWith(FORWARDER_URL)
      ? fetch(address.replace(FORWARDER_URL, forwarder.url), init)
      : fetch(input, init)
  }
  const service = await world.service([{ slug: 'name' }])
  const frontDoorUrl = world.frontDoor.url
  const company = new ServiceClient({ frontDoorUrl, ...service.client, pins: memoryPins(), fetch: reach })
  const mara = await world.person({ region: 'us' })
  const person = new CustomerClient({
    accessToken: () => Promise.resolve(mara),
    key: await AccountKey.fromPkcs8(mara.keys.privateKey.reveal()),
    pins: memoryPins(),
    fetch: reach,
  })
  const { id: connectionId } = await person.connect(service.code, { name: { value: 'Mara' } })
  const account = new AccountClient({ accessToken: () => Promise.resolve(service.company), fetch: reach })
  const { plugin: made } = await account.plugins.create({ base_url: plugin.url })
  const { last_error: problem } = await account.plugins.refresh(made.id)
  if (problem !== null) throw new Error(`the plugin cannot be described: ${problem}`)
  await plugin.taken()
  return {
    forwarder,
    redisUrl: world.environment.eu['REDIS_URL'] ?? '',
    logs,
    plugin,
    pluginId: made.id,
    service,
    key: await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase),
    company,
    person,
    connectionId,
    publish: async (definition) => (await flowAuthor(service).published(definition)).flowId,
    setClock,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function startForwarder(
  opened: AsyncDisposableStack,
  world: World,
  { authority }: RecordingPlugin,
  logs: string[],
): Promise<AppProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-carrying-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const authorityFile = join(folder, 'ca.crt')
  writeFileSync(authorityFile, authority)
  const { privateKey } = await generateKeyPair(createCryptoPlatform(globalThis))
  const [listening, internal] = await Promise.all([reservePort(), reservePort()])
  const { REGIONS = '', REDIS_URL = '' } = world.environment.eu
  const forwarder = appProcess({
    name: 'forwarder',
    app: 'forwarder',
    root: ROOT,
    environment: {
      PUBLIC_URL: FORWARDER_URL,
      FRONT_DOOR_URL: world.frontDoor.url,
      REGIONS,
      REDIS_URL,
      NATS_KEYS: world.isolated.forwarderKeys.reveal(),
      BUILTIN_KEYS: Buffer.from(privateKey.reveal()).toString('base64'),
      NODE_EXTRA_CA_CERTS: authorityFile,
      ALLOW_PRIVATE_TARGETS: '1',
      LOG_LEVEL: 'debug',
      PLUGIN_RATE: '100000',
      REDIS_TIMEOUT_MS: '15000',
      ASK_TIMEOUT_MS: '15000',
      DRAIN_SECONDS: '0',
      LISTEN_PORT: String(listening.port),
      INTERNAL_PORT: String(internal.port),
    },
    onLine: (line) => logs.push(line),
  })
  await forwarder.start()
  return forwarder
}
