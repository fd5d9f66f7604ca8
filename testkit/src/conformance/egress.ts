import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DialError, socketDialer, type Dialer, type Egress, type EgressOptions, type Resolver } from '@sealpost/egress'
import { instant, type Clock } from '@sealpost/kernel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Corpus {
  readonly platform_hosts: readonly string[]
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly loopback: readonly (Refused & { readonly reaches_when_allowed: boolean })[]
  readonly forbidden: readonly Refused[]
  readonly allowed: readonly {
    readonly name: string
    readonly url: string
    readonly dials: string
    readonly port: number
  }[]
  readonly redirects: readonly {
    readonly name: string
    readonly status: number
    readonly location: string
    readonly reason: string
  }[]
  readonly rebinding: readonly {
    readonly name: string
    readonly host: string
    readonly answers: readonly (readonly string[])[]
    readonly outcomes: readonly string[]
  }[]
}

interface Refused {
  readonly name: string
  readonly url: string
  readonly reason: string
}

type OpenEgress = (options: EgressOptions) => Egress

const corpusFile = new URL('../../../vectors/egress.json', import.meta.url)
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file, described in vectors/README.md
const corpus = JSON.parse(readFileSync(corpusFile, 'utf8')) as Corpus
const clock: Clock = { now: () => instant(performance.now()) }
const policy = { platformHosts: corpus.platform_hosts }

/** What every implementation of the way out must hold; no packet leaves loopback, no name server is asked. */
export function egressConformance(openEgress: OpenEgress): void {
  describe('the way out, held to vectors/egress.json', () => {
    const victim = listeningVictim()
    describeLoopback(openEgress, victim)
    describeRanges(openEgress)
    describeRedirects(openEgress, victim)
    describeRebinding(openEgress, victim)
  })
}

function describeLoopback(openEgress: OpenEgress, victim: Victim): void {
  test.each(corpus.loopback)('loopback is not reached by $name', async ({ url, reason }) => {
    const { dialer, dialled } = loopbackDialer()
    const outcome = await get(openEgress({ policy, clock, resolver: tableResolver(), dialer }), victim.at(url))
    expect(outcome).toBe(`refused ${reason}`)
    expect({ dialled, connections: victim.connections() }).toEqual({ dialled: [], connections: 0 })
  })

  const reachable = corpus.loopback.filter((target) => target.reaches_when_allowed)
  test.each(reachable)('control: the victim is there when private targets are allowed, by $name', async ({ url }) => {
    const { dialer } = loopbackDialer()
    const allowing = { ...policy, allowPrivateTargets: true }
    const outcome = await get(
      openEgress({ policy: allowing, clock, resolver: tableResolver(), dialer }),
      victim.at(url),
    )
    expect(outcome).toBe('answered 200')
    expect(victim.connections()).toBe(1)
  })
}

function describeRanges(openEgress: OpenEgress): void {
  test.each(corpus.forbidden)('refused without a connection: $name', async ({ url, reason }) => {
    const { dialer, dialled } = recordingDialer()
    const outcome = await get(openEgress({ policy, clock, resolver: tableResolver(), dialer }), url)
    expect(outcome).toBe(`refused ${reason}`)
    expect(dialled).toEqual([])
  })

  test.each(corpus.allowed)('allowed: $name', async ({ url, dials, port }) => {
    const { dialer, dialled } = recordingDialer()
    await get(openEgress({ policy, clock, resolver: tableResolver(), dialer }), url)
    expect(dialled[0]).toBe(`${dials} ${port}`)
  })
}

function describeRedirects(openEgress: OpenEgress, victim: Victim): void {
  test.each(corpus.redirects)(
    'a redirect is judged like a first request: $name',
    async ({ status, location, reason }) => {
      const redirecting = await serve((_request, response) => {
        response.writeHead(status, { location: victim.at(location) }).end()
      })
      const { dialer, dialled } = loopbackDialer()
      const own = { ...policy, internalHosts: [`127.0.0.1:${redirecting.port}`] }
      const egress = openEgress({ policy: own, clock, resolver: tableResolver(), dialer })
      const outcome = await get(egress, `http://127.0.0.1:${redirecting.port}/`, 3)
      await redirecting.close()
      expect(outcome).toBe(`refused ${reason}`)
      expect(dialled).toEqual([`127.0.0.1 ${redirecting.port}`])
      expect(victim.connections()).toBe(0)
    },
  )
}

function describeRebinding(openEgress: OpenEgress, victim: Victim): void {
  test.each(corpus.rebinding)('a name that changes its answer: $name', async ({ host, answers, outcomes }) => {
    const questions: string[] = []
    const resolver: Resolver = {
      async resolve(name) {
        questions.push(name)
        return answers[questions.length - 1] ?? ['127.0.0.1']
      },
    }
    const { dialer, dialled } = loopbackDialer()
    const egress = openEgress({ policy, clock, resolver, dialer })
    for (const [index, expected] of outcomes.entries()) {
      dialled.length = 0
      const outcome = await get(egress, victim.at(`http://${host}:{port}/`))
      const seen = outcome.startsWith('refused') ? outcome : `dials ${dialled.join(', ')}`
      expect(seen).toBe(expected.startsWith('dials') ? `${expected} ${victim.port()}` : expected)
      expect(questions).toHaveLength(index + 1)
    }
    expect(victim.connections()).toBe(0)
  })
}

async function get(egress: Egress, url: string, redirects = 0): Promise<string> {
  const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxResponseBytes: 1_024 }
  const result = await egress.send({ method: 'GET', url, redirects, ...limits })
  egress.close()
  if (result.ok) return `answered ${result.value.status}`
  return result.refusal.kind === 'refused' ? `refused ${result.refusal.reason}` : result.refusal.kind
}

/** The corpus' names and the ones that every system resolver knows. */
function tableResolver(): Resolver {
  const localhost = /^(.+\.)?localhost$/
  return {
    async resolve(name) {
      const addresses = localhost.test(name) ? ['127.0.0.1', '::1'] : corpus.names[name]
      if (addresses === undefined) throw Object.assign(new Error(`no such name: ${name}`), { code: 'ENOTFOUND' })
      return addresses
    },
  }
}

interface RecordingDialer {
  readonly dialer: Dialer
  readonly dialled: string[]
}

function recordingDialer(open?: Dialer): RecordingDialer {
  const dialled: string[] = []
  const dialer: Dialer = {
    async dial(target, signal) {
      dialled.push(`${target.address} ${target.port}`)
      if (open === undefined) throw new DialError('connect', new Error('this dialer opens nothing'))
      return open.dial(target, signal)
    },
  }
  return { dialer, dialled }
}

/** Opens real sockets, but to this machine only, so that a hole in the guard is seen and yet no packet leaves. */
function loopbackDialer(): RecordingDialer {
  const real = socketDialer()
  const leadsHere = /^(127\.|0\.|::1$|::$|::ffff:(7f[0-9a-f]{2}|0):|::ffff:(127|0)\.)/
  return recordingDialer({
    async dial(target, signal) {
      if (leadsHere.test(target.address)) return real.dial(target, signal)
      throw new DialError('connect', new Error('not on this machine'))
    },
  })
}

interface Victim {
  /** Fills in the port. */
  at(url: string): string
  port(): number
  /** TCP connections since the last time this was asked. */
  connections(): number
}

const VICTIM_ADDRESSES = ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '::1']

function listeningVictim(): Victim {
  const servers: Server[] = []
  let port = 0
  let connections = 0
  beforeAll(async () => {
    for (const address of VICTIM_ADDRESSES) {
      const server = createServer((_request, response) => void response.end('reached'))
      server.on('connection', () => {
        connections += 1
      })
      port = await listen(server, address, port)
      servers.push(server)
    }
  })
  afterAll(() => Promise.all(servers.map(stop)))
  return {
    at: (url) => url.replaceAll('{port}', String(port)),
    port: () => port,
    connections() {
      const counted = connections
      connections = 0
      return counted
    },
  }
}

async function serve(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler)
  const port = await listen(server, '127.0.0.1', 0)
  return { port, close: () => stop(server) }
}

function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
