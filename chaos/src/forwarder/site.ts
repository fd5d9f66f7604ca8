import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { createCryptoPlatform, generateKeyPair } from '@sealpost/crypto'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { systemIds } from '@sealpost/process'
import { bundleProgram } from '@sealpost/process/build'
import {
  type ForwarderPeer,
  reservePort,
  type ScenarioContext,
  sealMessage,
  startForwarderPeer,
  waitUntil,
} from '@sealpost/testkit'
import { type Program, startProgram } from '../load-program.ts'
import {
  FORWARDER_PROGRAM,
  type HostilePlugin,
  hostOf,
  type Kind,
  KINDS,
  type RoutePlan,
  SERVERS_PROGRAM,
  type ServersPlan,
  type ServersReport,
} from './plan.ts'

const READY_MS = 60_000
/** Not those of the peer. INFLIGHT_CALLER stays: here all callers have one address. */
const DEFAULT_LIMITS = { PLUGIN_RATE: undefined, PLUGIN_INFLIGHT_MAX: undefined, REDIS_TIMEOUT_MS: undefined }
/** Its wrapper is a third longer, and has a key. */
const LONGEST_QUESTION = 48_000
const platform = createCryptoPlatform(globalThis)

export interface ForwarderProcess {
  readonly url: string
  readonly pid: number
}

export interface ForwarderSite extends ForwarderProcess {
  readonly peer: ForwarderPeer
  readonly request: string
  /** Of the largest size. */
  readonly longRequest: string
  /** Ids of plugins that answer as they should. */
  readonly honest: readonly string[]
  readonly hostile: readonly HostilePlugin[]
  /** Addresses that the forwarder has dialled although they are not public. */
  privateDials(): number
  /** Another forwarder, whose plugins and callers have no limits. */
  startUnlimited(): Promise<ForwarderProcess>
  /** Ends the servers of the hostile plugins; answers their requests by kind. */
  stopHostile(): Promise<ServersReport>
}

/** A forwarder in a process of its own, with its usual limits, between plugins that answer and plugins that attack. */
export async function openForwarderSite(
  context: ScenarioContext,
  { honestPlugins, hostilePerKind }: { readonly honestPlugins: number; readonly hostilePerKind: number },
): Promise<ForwarderSite> {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-chaos-forwarder-'))
  context.onEnd(async () => rmSync(folder, { recursive: true }))
  const honest = Array.from({ length: honestPlugins }, (_, number) => `honest-${number}`)
  const hostileOf = (kind: Kind) => Array.from({ length: hostilePerKind }, (_, number) => `${kind}-${number}`)
  const ids = systemIds()
  const idByName = new Map<string, string>([...honest, ...KINDS.flatMap(hostileOf)].map((name) => [name, ids.uuid()]))
  const nameById = new Map([...idByName].map(([name, id]) => [id, name]))
  const idOf = (name: string): string => idByName.get(name) ?? ''
  const servers = await startServers(context, [...idByName.keys()])
  const peer = await startForwarderPeer(context, (pluginId) => {
    const name = nameById.get(pluginId)
    return name === undefined ? null : { baseUrl: `https://${hostOf(name)}`, publicKey: servers.publicKey }
  })
  const dialled = join(folder, 'dialled')
  const program = await bundleForwarder(folder)
  const environment = { ...peer.environment, ROUTE: JSON.stringify(servers.route), DIALLED_FILE: dialled }
  return {
    ...(await startForwarder(context, program, { ...environment, ...DEFAULT_LIMITS })),
    peer,
    request: await sealMessage(servers.publicKey, 'q'.repeat(1000)),
    longRequest: await sealMessage(servers.publicKey, 'q'.repeat(LONGEST_QUESTION)),
    honest: honest.map(idOf),
    hostile: KINDS.flatMap((kind) => hostileOf(kind).map((name) => ({ kind, id: idOf(name) }))),
    privateDials: () => (existsSync(dialled) ? readFileSync(dialled, 'utf8').trim().split('\n').length : 0),
    startUnlimited: () =>
      startForwarder(context, program, { ...environment, INFLIGHT_CALLER: '10000', HTTP_CONNECTIONS_ADDRESS: '10000' }),
    async stopHostile() {
      servers.hostile.stop()
      return servers.hostile.report
    },
  }
}

interface Servers {
  readonly publicKey: string
  readonly route: RoutePlan
  readonly hostile: Program<ServersReport>
}

/** Honest and hostile plugins have a process each, so that one does not delay the other. */
async function startServers(context: ScenarioContext, names: readonly string[]): Promise<Servers> {
  const authority = await createAuthority(Date.now())
  const { certificate, key } = await createServerCertificate(authority, names.map(hostOf), Date.now())
  const [own, foreign] = await Promise.all([generateKeyPair(platform), generateKeyPair(platform)])
  const [honestPort, hostilePort] = [(await reservePort()).port, (await reservePort()).port]
  const shared = {
    certificate,
    key: key.reveal(),
    reply: await sealMessage(own.publicKey, 'r'.repeat(1000)),
    foreignReply: await sealMessage(foreign.publicKey, 'r'.repeat(1000)),
  }
  const start = (plan: ServersPlan): Program<ServersReport> => {
    const program = startProgram(SERVERS_PROGRAM, plan)
    context.onEnd(() => program.end())
    return program
  }
  start({ ...shared, role: 'honest', port: honestPort })
  const hostile = start({ ...shared, role: 'hostile', port: hostilePort })
  return {
    publicKey: own.publicKey,
    route: { authority: authority.certificate, honestPort, hostilePort },
    hostile,
  }
}

/** As an operator runs it: the memory of a process that runs the sources says nothing. */
async function bundleForwarder(folder: string): Promise<string> {
  const main = fileURLToPath(FORWARDER_PROGRAM)
  await bundleProgram({ ...forwarderProgram, entries: { ...forwarderProgram.entries, main } }, folder)
  return join(folder, forwarderProgram.name, 'main.js')
}

async function startForwarder(
  context: ScenarioContext,
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ForwarderProcess> {
  const [listening, internal] = await Promise.all([reservePort(), reservePort()])
  const env = {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'warn',
    ...environment,
    LISTEN_PORT: String(listening.port),
    INTERNAL_PORT: String(internal.port),
  }
  const child = spawn(process.execPath, [...(forwarderProgram.flags ?? []), program], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  context.onEnd(async () => void child.kill('SIGKILL'))
  await waitUntil('the forwarder is ready', READY_MS, async () => {
    if (child.exitCode !== null) throw new Error(`the forwarder exited with ${child.exitCode}`)
    const answer = await fetch(`http://127.0.0.1:${internal.port}/internal/ready`).catch(() => null)
    return answer?.ok === true
  })
  return { pid: child.pid ?? -1, url: `http://127.0.0.1:${listening.port}` }
}
