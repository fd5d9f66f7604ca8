import { createServer } from 'node:http'
import {
  type Engines,
  inspectable,
  type Installation,
  openInspector,
  readEngines,
  reservePort,
  startInstallation,
} from '@sealpost/testkit'
import { readRedis } from './redis-keys.ts'
import type { Piece } from './search.ts'
import { readObjects } from './stored-objects.ts'
import { readStreams } from './streams.ts'
import { readTables } from './tables.ts'

/** An installation of real processes at the highest verbosity, with a record of everything it writes. */
export interface Recorder {
  readonly installation: Installation
  readonly record: (piece: Piece) => void
  /** Reads the metrics and stops the apps, which flush their logs and traces. */
  stop(): Promise<void>
  /** The heaps of the regions, after a collection of garbage. */
  readHeaps(): Promise<readonly Heap[]>
  /** The present content of the stores: some of it is only temporary. */
  readStored(): Promise<readonly Piece[]>
  /** Everything that was written since the start. */
  readAll(): Promise<readonly Piece[]>
  close(): Promise<void>
}

export interface Heap {
  readonly place: string
  readonly content: Buffer
}

const VERBOSE = { LOG_LEVEL: 'debug', TRACE_PERCENT: '100' }

export async function startRecorder(settings: Readonly<Record<string, string>> = {}): Promise<Recorder> {
  const since = new Date()
  const recorded: Piece[] = []
  const collector = await startCollector((content) => recorded.push({ place: 'a trace', content }))
  const installation = await startInstallation({
    adjust: async ({ eu, us, ...others }) => ({
      ...others,
      eu: { ...eu, ...(await inspectable()) },
      us: { ...us, ...(await inspectable()) },
    }),
    settings: { ...VERBOSE, TRACE_URL: collector.url, ...settings },
    onLine: (app, line) => recorded.push({ place: `the log of ${app}`, content: line }),
  }).catch(async (error: unknown) => {
    await collector.close()
    throw error
  })
  return {
    installation,
    record: (piece) => void recorded.push(piece),
    async stop() {
      recorded.push(...(await readMetrics(installation)))
      for (const app of [installation.frontDoor, installation.eu, installation.us]) await app.stop()
    },
    async readHeaps() {
      const heaps: Heap[] = []
      for (const app of [installation.eu, installation.us]) {
        const inspector = await openInspector(app)
        await inspector.collectGarbage()
        heaps.push({ place: `the heap of ${app.name}`, content: await inspector.heapSnapshot() })
        inspector.close()
      }
      return heaps
    },
    readStored: () => readStored(installation, since),
    async readAll() {
      const mails = installation.mail.taken.map(({ to, subject, text }) => ({
        place: `a mail to ${to}`,
        content: `${subject}\n${text}`,
      }))
      return [...recorded, ...mails, ...(await readStored(installation, since))]
    },
    async close() {
      await installation.stop()
      await collector.close()
    },
  }
}

async function readStored({ environment, nats }: Installation, since: Date): Promise<readonly Piece[]> {
  const { eu, us } = readEngines()
  const { frontDoor } = environment
  const redisUrls = new Set([frontDoor, environment.eu, environment.us].map(({ REDIS_URL = '' }) => REDIS_URL))
  const stores: readonly (readonly [string, Engines['eu']['s3']])[] = [
    ['eu', eu.s3],
    ['us', us.s3],
  ]
  const read = await Promise.all([
    readTables('directory', frontDoor['DIRECTORY_DATABASE_URL'] ?? ''),
    readTables('eu', environment.eu['DATABASE_URL'] ?? ''),
    readTables('us', environment.us['DATABASE_URL'] ?? ''),
    ...nats.map(readStreams),
    ...[...redisUrls].map((url, index) => readRedis(String(index + 1), url)),
    ...stores.map(([name, store]) => readObjects(name, store, since)),
  ])
  return read.flat()
}

async function readMetrics({ frontDoor, eu, us }: Installation): Promise<readonly Piece[]> {
  return Promise.all(
    [frontDoor, eu, us].map(async ({ name, internalUrl }) => {
      const answer = await fetch(`${internalUrl}/internal/metrics`)
      return { place: `the metrics of ${name}`, content: await answer.text() }
    }),
  )
}

/** Accepts and keeps traces like a collector. */
async function startCollector(keep: (content: Buffer) => void): Promise<{ url: string; close(): Promise<void> }> {
  const { port, release } = await reservePort()
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      keep(Buffer.concat(chunks))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
      release()
    },
  }
}
