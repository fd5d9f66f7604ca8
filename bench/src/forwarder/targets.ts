import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { createCryptoPlatform, generateKeyPair } from '@sealpost/crypto'
import { systemIds } from '@sealpost/process'
import {
  appProcess,
  reservePort,
  type ScenarioContext,
  sealMessage,
  startForwarderPeer,
  waitUntil,
} from '@sealpost/testkit'

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
const platform = createCryptoPlatform(globalThis)

export async function startTargets(context: ScenarioContext): Promise<Targets> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-bench-forwarder-'))
  context.onEnd(async () => rmSync(folder, { recursive: true }))
  const plugin = await startPlugin(context, folder)
  const peer = await startForwarderPeer(context, () => ({ baseUrl: plugin.url, publicKey: plugin.publicKey }))
  const environment = { ...peer.environment, NODE_EXTRA_CA_CERTS: plugin.authorityFile }
  const [ours, bare] = [await startForwarder(context, environment), await startBare(context, plugin)]
  const pluginId = systemIds().uuid()
  return {
    ours,
    bare,
    async body() {
      const pass = await peer.pass('flow', [pluginId])
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
  const reply = await sealMessage(publicKey, 'r'.repeat(1000))
  startProgram(context, 'plugin-program.ts', {
    PORT: String(port),
    CERTIFICATE: certificate,
    KEY: key.reveal(),
    REPLY: reply,
  })
  return {
    url: `https://127.0.0.1:${port}`,
    publicKey,
    question: await sealMessage(publicKey, 'q'.repeat(1000)),
    authorityFile,
  }
}

async function startForwarder(
  context: ScenarioContext,
  environment: Readonly<Record<string, string>>,
): Promise<Target> {
  const [listening, internal] = await Promise.all([reservePort(), reservePort()])
  const forwarder = appProcess({
    name: 'forwarder',
    app: 'forwarder',
    environment: {
      ...environment,
      ALLOW_PRIVATE_TARGETS: '1',
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
