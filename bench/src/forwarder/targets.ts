import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FORWARDER, parseParty } from '@sealpost/bus'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { createCryptoPlatform, generateKeyPair, importSealingKey, sealWrapper } from '@sealpost/crypto'
import { systemIds } from '@sealpost/process'
import { PASS_ALGORITHM, PASS_SECONDS, PASS_TYPE } from '@sealpost/protocol'
import {
  appProcess,
  createBusLogins,
  reservePort,
  type ScenarioContext,
  startPrivateNats,
  startPrivateRedis,
  waitUntil,
} from '@sealpost/testkit'
import { exportJWK, generateKeyPair as generateSigningPair, SignJWT } from 'jose'
import { answerAsks } from './region-end.ts'

export interface Target {
  readonly pid: number
  readonly url: string
}

export interface Targets {
  readonly ours: Target
  readonly bare: Target
  /** A new one whenever it is asked for: a pass lives ten minutes, a full run longer. */
  readonly body: () => Promise<string>
}

const READY_MS = 60_000
const [PUBLIC_URL, FRONT_DOOR_URL] = ['https://forwarder.example', 'https://front.example']
const platform = createCryptoPlatform(globalThis)

export async function startTargets(context: ScenarioContext): Promise<Targets> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-bench-forwarder-'))
  context.onEnd(async () => rmSync(folder, { recursive: true }))
  const plugin = await startPlugin(context, folder)
  const logins = createBusLogins(['eu'])
  const [nats, redis] = await Promise.all([
    startPrivateNats({ account: logins.server(parseParty('eu')) }),
    startPrivateRedis(),
  ])
  context.onEnd(() => nats.remove())
  context.onEnd(() => redis.remove())
  const { privateKey, publicKey } = await generateSigningPair(PASS_ALGORITHM)
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: PASS_ALGORITHM, use: 'sig' }]
  await answerAsks(context, nats.url, logins, { keys, baseUrl: plugin.url, publicKey: plugin.publicKey })
  const [ours, bare] = [
    await startForwarder(context, {
      NODE_EXTRA_CA_CERTS: plugin.authorityFile,
      REGIONS: `eu|Europe|https://eu.example|${nats.url}`,
      NATS_KEYS: logins.setting(FORWARDER).reveal(),
      REDIS_URL: redis.url,
    }),
    await startBare(context, plugin),
  ]
  const ids = systemIds()
  const [pluginId, companyId] = [ids.uuid(), ids.uuid()]
  return {
    ours,
    bare,
    async body() {
      const iat = Math.floor(Date.now() / 1000)
      const pass = await new SignJWT({ kind: 'flow', pid: [pluginId], cid: companyId, rgn: 'eu' })
        .setProtectedHeader({ alg: PASS_ALGORITHM, kid: 'bench', typ: PASS_TYPE })
        .setIssuer(FRONT_DOOR_URL)
        .setAudience(PUBLIC_URL)
        .setIssuedAt(iat)
        .setExpirationTime(iat + PASS_SECONDS)
        .setJti(ids.uuid())
        .sign(privateKey)
      return JSON.stringify({ pass, plugin_id: pluginId, request: plugin.question })
    },
  }
}

interface Plugin {
  readonly url: string
  readonly publicKey: string
  readonly question: string
  readonly authorityFile: string
}

async function startPlugin(context: ScenarioContext, folder: string): Promise<Plugin> {
  const authority = await createAuthority(Date.now())
  const { certificate, key } = await createServerCertificate(authority, ['127.0.0.1'], Date.now())
  const authorityFile = join(folder, 'ca.crt')
  writeFileSync(authorityFile, authority.certificate)
  const { publicKey } = await generateKeyPair(platform)
  const { port } = await reservePort()
  const reply = await sealed(publicKey, 'r'.repeat(1000))
  startProgram(context, 'plugin-program.ts', {
    PORT: String(port),
    CERTIFICATE: certificate,
    KEY: key.reveal(),
    REPLY: reply,
  })
  return {
    url: `https://127.0.0.1:${port}`,
    publicKey,
    question: await sealed(publicKey, 'q'.repeat(1000)),
    authorityFile,
  }
}

async function sealed(publicKey: string, text: string): Promise<string> {
  const key = await importSealingKey(platform, publicKey)
  const wrapper = key.ok ? await sealWrapper(platform, key.value, text) : key
  if (!wrapper.ok) throw new Error(wrapper.refusal)
  return wrapper.value
}

/** With limits that are never reached, and that are asked for every call. */
async function startForwarder(
  context: ScenarioContext,
  environment: Readonly<Record<string, string>>,
): Promise<Target> {
  const [listening, internal] = await Promise.all([reservePort(), reservePort()])
  const builtinKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const forwarder = appProcess({
    name: 'forwarder',
    app: 'forwarder',
    environment: {
      ...environment,
      PUBLIC_URL,
      FRONT_DOOR_URL,
      BUILTIN_KEYS: builtinKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      ALLOW_PRIVATE_TARGETS: '1',
      PLUGIN_RATE: '1000000',
      PLUGIN_INFLIGHT_MAX: '1000',
      INFLIGHT_CALLER: '1000',
      REDIS_TIMEOUT_MS: '15000',
      DRAIN_SECONDS: '0',
      LISTEN_PORT: String(listening.port),
      INTERNAL_PORT: String(internal.port),
    },
  })
  context.onEnd(() => forwarder.stop())
  await forwarder.start()
  return { pid: forwarder.pid(), url: `${forwarder.url}/call` }
}

async function startBare(context: ScenarioContext, { url, authorityFile, question }: Plugin): Promise<Target> {
  const { port } = await reservePort()
  const environment = { PORT: String(port), PLUGIN_URL: url, NODE_EXTRA_CA_CERTS: authorityFile }
  const child = startProgram(context, 'bare-proxy.ts', environment)
  const target = { pid: child.pid ?? -1, url: `http://127.0.0.1:${port}/call` }
  const body = JSON.stringify({ request: question })
  await waitUntil('the bare proxy answers', READY_MS, async () => {
    const answer = await fetch(target.url, { method: 'POST', body }).catch(() => null)
    return answer?.ok === true
  })
  return target
}

function startProgram(
  context: ScenarioContext,
  file: string,
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  const program = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  context.onEnd(async () => void child.kill('SIGKILL'))
  return child
}
