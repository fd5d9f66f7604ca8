import { FORWARDER, parseParty } from '@sealpost/bus'
import type { KeyPair } from '@sealpost/crypto'
import { type EgressOptions, socketDialer } from '@sealpost/egress'
import { readSettings } from '@sealpost/kernel'
import { PASS_ALGORITHM, PASS_SECONDS, PASS_TYPE } from '@sealpost/protocol'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import {
  type BusLogins,
  createBusLogins,
  type PrivateEngine,
  startPrivateNats,
  startPrivateRedis,
} from '@sealpost/testkit/engines'
import { type FixedClock, fixedClock, fixedIds } from '@sealpost/testkit/fixed'
import { exportJWK, generateKeyPair, type GenerateKeyPairResult, SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { type RunningForwarder, startForwarder } from '../forwarder.ts'
import { forwarderSettings } from '../settings.ts'
import { makeKeys, openAs, type PluginServer, readText, sealTo } from './plugin-server.ts'
import { openRegionPeer, type PeerPlugin, type RegionPeer } from './region-peer.ts'

export const ISSUER = 'https://front.example'
export const AUDIENCE = 'https://forwarder.example'
const EU = parseParty('eu')
const WAIT_MS = '15000'

export interface PassOptions {
  readonly kind?: string
  readonly plugins: readonly string[]
  readonly companyId?: string
  readonly payload?: Record<string, unknown>
  readonly header?: Record<string, unknown>
  readonly key?: GenerateKeyPairResult['privateKey']
  readonly nowMs?: number
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
  readonly text: string
}

/** Engines of a test, one region's end of the bus, and forwarders. */
export interface Site {
  readonly clock: FixedClock
  readonly telemetry: RecordingTelemetry
  readonly redis: PrivateEngine
  readonly nats: PrivateEngine
  readonly region: RegionPeer
  readonly builtinKeys: KeyPair
  readonly environment: Readonly<Record<string, string>>
  readonly companyId: string
  start(options?: StartOptions): Promise<RunningForwarder>
  /** Adds a plugin at the region; described unless `publicKey` is null. */
  plugin(plugin: Partial<PeerPlugin>): string
  pass(options: PassOptions): Promise<string>
}

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly plugin?: PluginServer
  readonly route?: Pick<EgressOptions, 'resolver' | 'dialer'>
}

export async function openSite(): Promise<Site> {
  const opened: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of opened.toReversed()) await close()
  })
  const logins = createBusLogins(['eu'])
  const [nats, redis] = await Promise.all([startPrivateNats({ account: logins.server(EU) }), startPrivateRedis()])
  opened.push(
    () => nats.remove(),
    () => redis.remove(),
  )
  const region = await openRegionPeer(EU, { directory: null, eu: { servers: [nats.url], key: logins.key(EU, EU) } })
  opened.push(() => region.bus.close())
  const { privateKey, publicKey } = await generateKeyPair(PASS_ALGORITHM)
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(publicKey)
  region.keys = [{ kty, crv, x, y, kid: 'k1', alg: PASS_ALGORITHM, use: 'sig' }]
  const builtinKeys = await makeKeys()
  const clock = fixedClock()
  const ids = fixedIds(clock, 7)
  const companyId = ids.uuid()
  const telemetry = recordingTelemetry()
  const environment = environmentOf(nats, redis, logins, builtinKeys)
  let seed = 20
  return {
    clock,
    telemetry,
    redis,
    nats,
    region,
    builtinKeys,
    environment,
    companyId,
    async start({ settings = {}, plugin, route } = {}) {
      const own = plugin === undefined ? {} : routeTo(plugin)
      seed += 1
      const running = await startForwarder(readSettings(forwarderSettings, { ...environment, ...settings }), {
        clock,
        ids: fixedIds(clock, seed),
        telemetry,
        route: { ...own, ...route },
      })
      opened.push(() => running.close())
      return running
    },
    plugin(given) {
      const id = ids.uuid()
      const base = { companyId, baseUrl: null, builtinKey: null, token: null, publicKey: null, refreshes: [] }
      region.plugins.set(id, { ...base, ...given })
      return id
    },
    async pass({ kind = 'flow', plugins, companyId: company = companyId, payload = {}, header = {}, key, nowMs }) {
      const iat = Math.floor((nowMs ?? clock.now()) / 1000)
      const claims = { kind, pid: [...plugins], cid: company, rgn: 'eu', jti: ids.uuid(), iat, exp: iat + PASS_SECONDS }
      return new SignJWT({ iss: ISSUER, aud: AUDIENCE, ...claims, ...payload })
        .setProtectedHeader({ alg: PASS_ALGORITHM, kid: 'k1', typ: PASS_TYPE, ...header })
        .sign(key ?? privateKey)
    },
  }
}

function environmentOf(nats: PrivateEngine, redis: PrivateEngine, logins: BusLogins, builtinKeys: KeyPair) {
  return {
    PUBLIC_URL: AUDIENCE,
    FRONT_DOOR_URL: ISSUER,
    REGIONS: `eu|Europe|https://eu.example|${nats.url}`,
    REDIS_URL: redis.url,
    REDIS_TIMEOUT_MS: WAIT_MS,
    ASK_TIMEOUT_MS: WAIT_MS,
    NATS_KEYS: logins.setting(FORWARDER).reveal(),
    BUILTIN_KEYS: Buffer.from(builtinKeys.privateKey.reveal()).toString('base64'),
    ALLOW_PRIVATE_TARGETS: '1',
    STRICT_CONTRACT: '1',
    INFLIGHT_CALLER: '1000',
    LISTEN_PORT: '0',
    INTERNAL_PORT: '0',
    DRAIN_SECONDS: '0',
    SHUTDOWN_GRACE_SECONDS: '5',
  }
}

/** Every name leads to this machine, and the server's own authority is trusted. */
export function routeTo({ authority }: PluginServer): Pick<EgressOptions, 'resolver' | 'dialer'> {
  return {
    resolver: { resolve: () => Promise.resolve(['127.0.0.1']) },
    dialer: socketDialer({ trustedCertificates: [authority] }),
  }
}

export async function post(
  { url }: { readonly url: string },
  path: '/call' | '/registry',
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: readText(text) }
}

/** A question as a client seals it, and the key that opens the reply. */
export async function ask(publicKey: string, members: Readonly<Record<string, unknown>> = {}) {
  const replyKeys = await makeKeys()
  const question = {
    field_type: 'tariff',
    op: 'options',
    block: 'plan',
    query: '',
    picks: {},
    values: {},
    inputs: {},
    reply_key: replyKeys.publicKey,
    ...members,
  }
  return {
    request: await sealTo(publicKey, JSON.stringify(question)),
    open: (reply: unknown) => openAs(replyKeys, String(reply)),
  }
}
