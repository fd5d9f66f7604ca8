import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import {
  generateKeyPair,
  importOpeningKey,
  importSealingKey,
  type KeyPair,
  openWrapper,
  sealWrapper,
} from '@sealpost/crypto'
import { beforeEach } from 'vitest'
import { cryptoPlatform } from '../platform/crypto-platform.ts'

/** The name under which plugins are reached; the resolver of a test says where. */
export const PLUGIN_HOST = 'plugin.example'

export type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void | Promise<void>

export interface PluginServer {
  readonly port: number
  readonly url: string
  /** The certificate to trust, as PEM. */
  readonly authority: string
  /** Requests in flight now, and the most ever. */
  readonly load: { now: number; most: number; total: number }
  /** Takes every request from now on. */
  handle: Handle
  close(): Promise<void>
}

/** A real TLS server on loopback. */
export async function startPluginServer(
  handle: Handle,
  hosts: readonly string[] = [PLUGIN_HOST],
): Promise<PluginServer> {
  const authority = await createAuthority(Date.now())
  const { certificate, key } = await createServerCertificate(authority, [...hosts, '127.0.0.1'], Date.now())
  const load = { now: 0, most: 0, total: 0 }
  const tls: ServerOptions = { cert: certificate, key: key.reveal() }
  const server: Server = createServer(tls, (request, response) => {
    load.now += 1
    load.total += 1
    load.most = Math.max(load.most, load.now)
    response.once('close', () => {
      load.now -= 1
    })
    void readBody(request).then((body) => plugin.handle(request, response, body))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo
  const plugin: PluginServer = {
    port,
    url: `https://${hosts[0]}:${port}`,
    authority: authority.certificate,
    load,
    handle,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return plugin
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** `rollovers`: how former keys vouch for this one. */
export function manifestOf({
  publicKey,
  rollovers,
}: Pick<KeyPair, 'publicKey'> & { readonly rollovers?: readonly object[] }): Record<string, unknown> {
  return {
    name: 'Tariffs',
    public_key: publicKey,
    ...(rollovers === undefined ? {} : { key_rollovers: rollovers }),
    field_types: [
      {
        key: 'tariff',
        label: 'Tariff',
        blocks: [{ key: 'plan', kind: 'search_select', label: 'Plan' }],
        inputs: [{ key: 'postcode', type: 'text', label: 'Postcode', required: true }],
        outputs: [{ key: 'price', type: 'number', label: 'Price' }],
      },
    ],
  }
}

/** A plugin as its author writes it: opens the question with its key and seals what `answer` says to the reply key. */
export function honestPlugin(keys: () => KeyPair, answer: (question: Record<string, unknown>) => unknown): Handle {
  return async (request, response, body) => {
    if (request.url?.endsWith('/manifest') === true) return sendJson(response, manifestOf(keys()))
    const question = await openAs(keys(), String(readText(body)['request']))
    if (question === null) return sendJson(response, { error: 'key_unknown' }, 409)
    const reply = await sealTo(String(question['reply_key']), JSON.stringify(answer(question)))
    return sendJson(response, { reply })
  }
}

/** A server whose plugin answers every question alike; a test may replace the handler until its end. */
export async function startHonestPlugin(): Promise<{
  readonly keys: KeyPair
  readonly honest: Handle
  readonly server: PluginServer
}> {
  const keys = await makeKeys()
  const honest = honestPlugin(
    () => keys,
    () => ({ options: [], more: false }),
  )
  const server = await startPluginServer(honest)
  beforeEach(() => {
    server.handle = honest
  })
  return { keys, honest, server }
}

export function makeKeys(): Promise<KeyPair> {
  return generateKeyPair(cryptoPlatform)
}

export async function sealTo(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(cryptoPlatform, publicKey)
  const sealed = key.ok ? await sealWrapper(cryptoPlatform, key.value, text) : key
  if (!sealed.ok) throw new Error(sealed.refusal)
  return sealed.value
}

/** Null when the wrapper is for another key. */
export async function openAs(
  { privateKey }: KeyPair,
  wrapper: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const key = await importOpeningKey(cryptoPlatform, privateKey)
  if (!key.ok) throw new Error(key.refusal)
  const opened = await openWrapper(cryptoPlatform, key.value, wrapper)
  return opened.ok ? readText(opened.value) : null
}

/** The members of a JSON object. */
export function readText(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'object' && value !== null) return { ...value }
  throw new Error('not an object')
}
