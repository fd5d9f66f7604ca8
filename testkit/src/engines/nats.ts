import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { loginWith } from '@sealpost/bus/credentials'
import type { Secret } from '@sealpost/kernel'
import type { NatsAccount } from './bus-logins.ts'
import type { PrivateEngine } from './private-engine.ts'
import { runCommand } from './processes.ts'
import { startEngineAtPort } from './run-private-engine.ts'

const PROBE_DEADLINE_MS = 2000
/** Asked once: a process of tests starts hundreds of servers. */
let installed: ReturnType<typeof natsVersion> | null = null

export interface PrivateNatsOptions {
  /** Only the users of this account are let in; everyone if absent. */
  readonly account?: NatsAccount
  /** More lines of its configuration. */
  readonly lines?: readonly string[]
  /** `lines` make it use TLS. */
  readonly hasTls?: boolean
}

export function startPrivateNats({
  account,
  lines = [],
  hasTls = false,
}: PrivateNatsOptions = {}): Promise<PrivateEngine> {
  return startEngineAtPort({
    name: 'nats',
    scheme: 'nats',
    answers: (url) => (hasTls ? accepts(Number(new URL(url).port)) : answersJetStream(url, account?.observer)),
    async launch({ folder, processes }, port) {
      const config = join(folder, 'nats.conf')
      installed ??= natsVersion()
      const more = [...lines, account?.config ?? ''].join('\n')
      writeFileSync(config, `${natsConfig({ port, store: join(folder, 'store'), version: await installed })}${more}`)
      processes.launch({ file: 'nats-server', args: ['-c', config] })
    },
  })
}

export interface NatsConfig {
  readonly port: number
  readonly store: string
  readonly version: readonly [number, number]
  readonly name?: string
}

/** Loopback only, JetStream on, and every acknowledged message on disk as far as the server's version can promise it. */
export function natsConfig({ port, store, version, name }: NatsConfig): string {
  const [major, minor] = version
  const syncsAlways = major > 2 || (major === 2 && minor >= 10)
  return [
    `listen: 127.0.0.1:${port}`,
    ...(name === undefined ? [] : [`server_name: ${name}`]),
    'jetstream {',
    `  store_dir: ${JSON.stringify(store)}`,
    '  max_memory_store: 256MB',
    '  max_file_store: 8GB',
    // Older servers know no such field and refuse to start with it.
    ...(syncsAlways ? ['  sync_interval: always'] : []),
    '}',
    '',
  ].join('\n')
}

export async function natsVersion(): Promise<[number, number]> {
  const printed = await runCommand({ file: 'nats-server', args: ['-v'] })
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(printed) ?? []
  if (major === undefined || minor === undefined) throw new Error(`nats-server -v printed ${printed.trim()}`)
  return [Number(major), Number(minor)]
}

/** True when the server's JetStream answers; the listening port alone says nothing about it. */
export async function answersJetStream(url: string, key?: Secret<string>): Promise<boolean> {
  const reply = await askJetStream(url, '$JS.API.INFO', '', key).catch(() => '"error"')
  return !reply.includes('"error"')
}

/** The probe has no TLS: a server that listens has read its configuration and certificate. */
async function accepts(port: number): Promise<boolean> {
  const socket = createConnection({ host: '127.0.0.1', port })
  try {
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** One request in NATS' plain text protocol, so that a probe needs no client library. */
export function askJetStream(url: string, subject: string, body = '', key?: Secret<string>): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = createConnection({ host: hostname, port: Number(port) })
  let heard = ''
  socket.setTimeout(PROBE_DEADLINE_MS, () => reject(new Error(`no answer from ${url} to ${subject}`)))
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`${url} closed the connection`)))
  // The server greets first; requests sent before that are lost with some versions.
  socket.once('data', (greeting) => {
    const login = key === undefined ? {} : loginWith(key)(nonceOf(greeting.toString()))
    const connect = { verbose: false, headers: true, no_responders: true, ...login }
    socket.write(`CONNECT ${JSON.stringify(connect)}\r\nSUB _INBOX.probe 1\r\n`)
    socket.write(`PUB ${subject} _INBOX.probe ${Buffer.byteLength(body)}\r\n${body}\r\n`)
  })
  socket.on('data', (chunk) => {
    heard += chunk.toString()
    const reply = /^MSG _INBOX\.probe \d+ \d+\r\n(.*)\r\n/m.exec(heard)?.[1]
    if (reply !== undefined) resolve(reply)
    if (/^HMSG _INBOX\.probe /m.test(heard)) reject(new Error(`no responder for ${subject} at ${url}`))
  })
  return promise.finally(() => socket.destroy())
}

/** Empty when the server asks for no key. */
function nonceOf(greeting: string): string {
  return /"nonce":"([^"]+)"/.exec(greeting)?.[1] ?? ''
}
