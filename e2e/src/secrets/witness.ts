import { createServer } from 'node:http'
import { type Engines, type Installation, readEngines, reservePort, startInstallation } from '@sealpost/testkit'
import { readRedis } from './redis-keys.ts'
import type { Piece } from './search.ts'
import { readObjects } from './stored-objects.ts'
import { readStreams } from './streams.ts'
import { readTables } from './tables.ts'

/** An installation of real processes whose every written word is kept: as verbose as an operator can make it. */
export interface Witness {
  readonly installation: Installation
  /** Notes what a caller was told. */
  readonly note: (piece: Piece) => void
  /** Reads the metrics and ends the apps, which say then what they still had to say. */
  settle(): Promise<void>
  /** What the stores hold now; something may be there for a while only. */
  readStored(): Promise<readonly Piece[]>
  /** Everything that was written since the start, wherever. */
  readAll(): Promise<readonly Piece[]>
  close(): Promise<void>
}

const TALKATIVE = { LOG_LEVEL: 'debug', TRACE_PERCENT: '100' }

export async function startWitness(settings: Readonly<Record<string, string>> = {}): Promise<Witness> {
  const since = new Date()
  const told: Piece[] = []
  const collector = await startCollector((content) => told.push({ place: 'a trace', content }))
  const installation = await startInstallation({
    settings: { ...TALKATIVE, TRACE_URL: collector.url, ...settings },
    onLine: (app, line) => told.push({ place: `the log of ${app}`, content: line }),
  }).catch(async (error: unknown) => {
    await collector.close()
    throw error
  })
  return {
    installation,
    note: (piece) => void told.push(piece),
    async settle() {
      told.push(...(await readMetrics(installation)))
      for (const app of [installation.frontDoor, installation.eu, installation.us]) await app.stop()
    },
    readStored: () => readStored(installation, since),
    async readAll() {
      const mails = installation.mail.taken.map(({ to, subject, text }) => ({
        place: `a mail to ${to}`,
        content: `${subject}\n${text}`,
      }))
      return [...told, ...mails, ...(await readStored(installation, since))]
    },
    async close() {
      await installation.stop()
      await collector.close()
    },
  }
}

async function readStored({ environment }: Installation, since: Date): Promise<readonly Piece[]> {
  const { eu, us } = readEngines()
  const { frontDoor } = environment
  const natsUrls = (frontDoor['REGIONS'] ?? '').split(',').map((region) => region.split('|')[3] ?? '')
  const redisUrls = new Set([frontDoor, environment.eu, environment.us].map(({ REDIS_URL = '' }) => REDIS_URL))
  const stores: readonly (readonly [string, Engines['eu']['s3']])[] = [
    ['eu', eu.s3],
    ['us', us.s3],
  ]
  const read = await Promise.all([
    readTables('directory', frontDoor['DIRECTORY_DATABASE_URL'] ?? ''),
    readTables('eu', environment.eu['DATABASE_URL'] ?? ''),
    readTables('us', environment.us['DATABASE_URL'] ?? ''),
    ...natsUrls.map((url, index) => readStreams(index === 0 ? 'eu' : 'us', url)),
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

/** Takes traces as a collector would, and keeps them as they came. */
async function startCollector(take: (content: Buffer) => void): Promise<{ url: string; close(): Promise<void> }> {
  const { port, release } = await reservePort()
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      take(Buffer.concat(chunks))
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
