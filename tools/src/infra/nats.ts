import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { parseParty } from '@sealpost/bus'
import { inboxPrefix, loginWith, tlsConfig } from '@sealpost/bus/credentials'
import type { Secret } from '@sealpost/kernel'
import { type Command, natsConfig, natsVersion } from '@sealpost/testkit/engines'
import { keyAt, LOCAL_PARTIES, localLogin, serverFolder } from './bus-folder.ts'
import type { EnginePlan } from './engine.ts'
import { localFolder } from './local-folder.ts'
import { hasProgram } from './packages.ts'
import { startAtPort } from './ports.ts'
import { findDaemon } from './processes.ts'

const CONNECT_MS = 10_000
/** Our streams, including those of key-value and object buckets. */
const OUR_STREAMS = /^(KV_|OBJ_)?sealpost/i

/** How a NATS server is reached; without a key, it requires no login. */
export interface NatsAddress {
  readonly url: string
  /** Replies arrive in the inbox of this party: the server refuses any other. */
  readonly party: string
  readonly key?: Secret<string>
  readonly caFile?: string
}

/**
 * One independent server per region, so that an outage of one does not affect the other. One that is found is used if it
 * knows all logins of `.local/bus`, as those of compose.yaml do.
 */
export function planNats(region: string, preferredPort: number): EnginePlan {
  return {
    daemon: daemonOf(region),
    wellKnownUrl: `tls://127.0.0.1:${preferredPort}`,
    answers: (url) => acceptsLogins(url, region),
    packages: hasProgram('nats-server') ? [] : ['nats-server'],
    start: () => startNats(region, preferredPort),
  }
}

/** Tells a server of an earlier run to read its logins again: a newer checkout may have more parties. */
export function reloadLogins(region: string): void {
  const running = findDaemon(daemonOf(region))
  if (running !== null) process.kill(running.pid, 'SIGHUP')
}

export async function checkNats(address: NatsAddress): Promise<void> {
  await withNats(address, (connection) => {
    if (connection.info?.jetstream === true) return Promise.resolve()
    throw new Error(`${address.url} has no JetStream: enable it in its configuration`)
  })
}

/** Deletes our streams with their consumers, and no others. Parties may not list them, but know their names. */
export async function deleteStreams(address: NatsAddress, names: readonly string[]): Promise<number> {
  return withNats(address, async (connection) => {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    const present = [...names]
    if (address.key === undefined)
      for await (const name of manager.streams.names()) if (OUR_STREAMS.test(name)) present.push(name)
    const deleted = await Promise.all(
      [...new Set(present)].map((name) => manager.streams.delete(name).catch((error: unknown) => isMissing(error))),
    )
    return deleted.filter((isDeleted) => isDeleted).length
  })
}

/** False for a stream that does not exist; everything else is thrown again. */
function isMissing(error: unknown): false {
  if (error instanceof Error && error.message.includes('stream not found')) return false
  throw error
}

/** A server that was started before a party was added does not know it. */
async function acceptsLogins(url: string, region: string): Promise<boolean> {
  try {
    for (const party of LOCAL_PARTIES) {
      const { natsKeys, natsCaFile } = localLogin(party)
      const address = { url, party, key: keyAt(natsKeys, region), caFile: natsCaFile }
      const isOurs = await withNats(address, ({ info }) =>
        Promise.resolve(info?.auth_required === true && info.jetstream === true),
      )
      if (!isOurs) return false
    }
    return true
  } catch {
    return false
  }
}

async function withNats<T>(
  { url, party, key, caFile }: NatsAddress,
  work: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const connection = await connect({
    servers: url,
    inboxPrefix: inboxPrefix(parseParty(party)),
    timeout: CONNECT_MS,
    reconnect: false,
    ...(key === undefined ? {} : { authenticator: loginWith(key) }),
    ...(url.startsWith('tls://') ? { tls: caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') } } : {}),
  })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

function startNats(region: string, preferredPort: number): Promise<string> {
  return startAtPort({
    daemon: daemonOf(region),
    preferredPort,
    urlAt: (port) => `tls://127.0.0.1:${port}`,
    commandAt: (port) => serverCommand(region, port),
    answers: (url) => acceptsLogins(url, region),
  })
}

async function serverCommand(region: string, port: number): Promise<Command> {
  const folder = localFolder(daemonOf(region))
  const config = join(folder, 'nats.conf')
  const text = natsConfig({
    port,
    store: join(folder, 'store'),
    version: await natsVersion(),
    name: `sealpost-${region}`,
  })
  writeFileSync(config, `${text}${loginConfig(region, folder)}`)
  return { file: 'nats-server', args: ['-c', config] }
}

/** The path of an include is relative to the file that has it. */
function loginConfig(region: string, folder: string): string {
  const files = serverFolder(region)
  return [
    `include ${JSON.stringify(relative(folder, join(files, 'bus.conf')))}`,
    tlsConfig(join(files, 'server.crt'), join(files, 'server.key')),
  ].join('\n')
}

/** Earlier releases started servers without logins under the name `nats-eu`: those are not used. */
function daemonOf(region: string): string {
  return `nats-logins-${region}`
}
