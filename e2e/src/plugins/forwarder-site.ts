import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { createCryptoPlatform, generateKeyPair } from '@sealpost/crypto'
import { socketDialer } from '@sealpost/egress'
import { forwarderSettings, startForwarder } from '@sealpost/forwarder'
import { readSettings } from '@sealpost/kernel'
import { nodeHandler, type Plugin } from '@sealpost/plugin-kit'
import type { World } from '@sealpost/testkit'
import { fixedIds } from '@sealpost/testkit/fixed'

/** As the front door of a test names it in passes. */
export const FORWARDER_URL = 'https://forwarder.sealpost.example'

export interface ForwarderSite {
  /** For a company that registers the plugin: its public address. */
  readonly pluginUrl: string
  /** The own address of the forwarder. */
  readonly url: string
  /** Of a client: leads from the public address of the forwarder to this machine. */
  readonly fetch: typeof globalThis.fetch
  /** The bodies of calls that clients have sent to the forwarder, and those that it has answered. */
  readonly carried: string[]
}

/** A real forwarder of this world, and a plugin behind it with TLS. Both close with the file. */
export async function openForwarderSite(world: World, plugin: Plugin): Promise<ForwarderSite> {
  const host = 'loans.example'
  const { port, authority } = await servePlugin(world, plugin, host)
  const { privateKey } = await generateKeyPair(createCryptoPlatform(globalThis))
  const { REGIONS = '', REDIS_URL = '' } = world.environment.eu
  const settings = readSettings(forwarderSettings, {
    PUBLIC_URL: FORWARDER_URL,
    FRONT_DOOR_URL: world.frontDoor.url,
    REGIONS,
    REDIS_URL,
    NATS_KEYS: world.isolated.forwarderKeys.reveal(),
    BUILTIN_KEYS: Buffer.from(privateKey.reveal()).toString('base64'),
    ALLOW_PRIVATE_TARGETS: '1',
    PLUGIN_RATE: '10000',
    LISTEN_PORT: '0',
    INTERNAL_PORT: '0',
    DRAIN_SECONDS: '0',
    SHUTDOWN_GRACE_SECONDS: '5',
    ASK_TIMEOUT_MS: '15000',
    REDIS_TIMEOUT_MS: '15000',
  })
  const { clock, telemetry } = world
  const dialer = socketDialer({ trustedCertificates: [authority] })
  const route = {
    resolver: { resolve: () => Promise.resolve(['127.0.0.1']) },
    dialer: {
      dial: (target: Parameters<typeof dialer.dial>[0], signal: AbortSignal) =>
        dialer.dial({ ...target, port }, signal),
    },
  }
  const running = await startForwarder(settings, { clock, ids: fixedIds(clock, 78), telemetry, route })
  world.onEnd(() => running.close())
  const carried: string[] = []
  return {
    pluginUrl: `https://${host}`,
    url: running.url,
    carried,
    async fetch(input, init) {
      const address = input instanceof Request ? input.url : String(input)
      if (!address.startsWith(FORWARDER_URL)) return fetch(input, init)
      const answer = await fetch(address.replace(FORWARDER_URL, running.url), init)
      if (address.endsWith('/call')) carried.push(JSON.stringify(init?.body), await answer.clone().text())
      return answer
    },
  }
}

async function servePlugin(world: World, plugin: Plugin, host: string) {
  const authority = await createAuthority(Date.now())
  const { certificate, key } = await createServerCertificate(authority, [host], Date.now())
  const server = createServer({ cert: certificate, key: key.reveal() }, nodeHandler(plugin))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  world.onEnd(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  })
  return { port: portOf(server.address()), authority: authority.certificate }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
