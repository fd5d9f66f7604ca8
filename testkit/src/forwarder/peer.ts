import { generateKeyPairSync } from 'node:crypto'
import { FORWARDER, parseParty } from '@sealpost/bus'
import { createCryptoPlatform, importSealingKey, sealWrapper } from '@sealpost/crypto'
import { systemIds } from '@sealpost/process'
import { PASS_ALGORITHM, PASS_SECONDS, PASS_TYPE } from '@sealpost/protocol'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createBusLogins } from '../engines/bus-logins.ts'
import { startPrivateNats } from '../engines/nats.ts'
import { startPrivateRedis } from '../engines/redis.ts'
import type { ScenarioContext } from '../scenario.ts'
import { answerAsks, type StoredPlugin } from './region-end.ts'

/** The surroundings of a forwarder: engines, the end of a region on the bus, and passes. */
export interface ForwarderPeer {
  /** Settings of a forwarder, without its addresses. */
  readonly environment: Readonly<Record<string, string>>
  /** Valid for ten minutes. */
  pass(kind: 'flow' | 'registry', plugins: readonly string[]): Promise<string>
}

const [PUBLIC_URL, FRONT_DOOR_URL] = ['https://forwarder.example', 'https://front.example']
const KEY_ID = 'peer'
const platform = createCryptoPlatform(globalThis)

/** With limits that are never reached, and that are asked for every call. */
export async function startForwarderPeer(
  context: Pick<ScenarioContext, 'onEnd'>,
  find: (pluginId: string) => StoredPlugin | null,
): Promise<ForwarderPeer> {
  const logins = createBusLogins(['eu'])
  const [nats, redis] = await Promise.all([
    startPrivateNats({ account: logins.server(parseParty('eu')) }),
    startPrivateRedis(),
  ])
  context.onEnd(() => nats.remove())
  context.onEnd(() => redis.remove())
  const { privateKey, publicKey } = await generateKeyPair(PASS_ALGORITHM)
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: PASS_ALGORITHM, use: 'sig' }]
  context.onEnd(await answerAsks(nats.url, logins, { keys, find }))
  const builtinKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const ids = systemIds()
  const companyId = ids.uuid()
  return {
    environment: {
      PUBLIC_URL,
      FRONT_DOOR_URL,
      REGIONS: `eu|Europe|https://eu.example|${nats.url}`,
      NATS_KEYS: logins.setting(FORWARDER).reveal(),
      REDIS_URL: redis.url,
      BUILTIN_KEYS: builtinKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      PLUGIN_RATE: '1000000',
      PLUGIN_INFLIGHT_MAX: '1000',
      INFLIGHT_CALLER: '1000',
      REDIS_TIMEOUT_MS: '15000',
      DRAIN_SECONDS: '0',
    },
    pass(kind, plugins) {
      const iat = Math.floor(Date.now() / 1000)
      return new SignJWT({ kind, pid: [...plugins], cid: companyId, rgn: 'eu' })
        .setProtectedHeader({ alg: PASS_ALGORITHM, kid: KEY_ID, typ: PASS_TYPE })
        .setIssuer(FRONT_DOOR_URL)
        .setAudience(PUBLIC_URL)
        .setIssuedAt(iat)
        .setExpirationTime(iat + PASS_SECONDS)
        .setJti(ids.uuid())
        .sign(privateKey)
    },
  }
}

/** A wrapper of this text, as questions and replies are. */
export async function sealMessage(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  const wrapper = key.ok ? await sealWrapper(platform, key.value, text) : key
  if (!wrapper.ok) throw new Error(wrapper.refusal)
  return wrapper.value
}
