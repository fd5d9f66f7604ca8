import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { askRedis, type Engines, readEngines, variableName } from '@sealpost/testkit/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ended, runProgram } from '../run-tool.ts'
import { checkNats } from './nats.ts'
import { natsAddress } from './up.ts'

const checkouts = ['first', 'second', 'third'].map((name) => ({ name, folder: '', ended: { status: 1, output: '' } }))
const limits = { timeout: 600_000 }
const root = join(import.meta.dirname, '../../..')

beforeAll(async () => {
  await Promise.all(
    checkouts.map(async (checkout) => {
      checkout.folder = mkdtempSync(join(tmpdir(), 'sealpost-checkout-'))
      Object.assign(checkout, { ended: await infra(checkout, 'up') })
    }),
  )
}, limits.timeout)

afterAll(async () => {
  await Promise.all(checkouts.map((checkout) => infra(checkout, 'remove')))
  for (const { folder } of checkouts) rmSync(folder, { recursive: true, force: true })
}, limits.timeout)

test('checkouts that start at the same time become ready, each with ports of its own', () => {
  for (const { ended } of checkouts) expect(ended).toEqual({ status: 0, output: expect.stringContaining('up: done') })
  const ports = checkouts.flatMap((checkout) => portsOf(checkout))
  expect(new Set(ports).size).toBe(ports.length)
  expect(ports).toHaveLength(5 * checkouts.length)
})

test('the engines of each checkout have the data of that checkout', limits, async () => {
  for (const checkout of checkouts) await writeName(checkout.name, enginesOf(checkout))
  for (const checkout of checkouts) {
    expect(await readNames(enginesOf(checkout))).toEqual([checkout.name, checkout.name])
    for (const site of ['directory', 'eu', 'us'] as const) await checkNats(natsAddress(enginesOf(checkout), site))
  }
})

test('when other processes have taken its ports, a stopped S3 moves to others and keeps its data', limits, async () => {
  const [checkout] = checkouts
  if (checkout === undefined) throw new Error('there is a first checkout')
  const before = portsOf(checkout)
  await infra(checkout, 'down')
  const strangers = await Promise.all(s3Ports(checkout).map(listenAt))
  const ended = await infra(checkout, 'up')
  for (const stranger of strangers) stranger.close()
  expect(ended).toEqual({ status: 0, output: expect.stringMatching(/S3: .* taken port \d+ and \d+; it moves to/) })
  expect(portsOf(checkout)).not.toEqual(before)
  expect(await readNames(enginesOf(checkout))).toEqual([checkout.name, checkout.name])
})

type Checkout = (typeof checkouts)[number]

function infra(checkout: Checkout, command: 'up' | 'down' | 'remove'): Promise<Ended> {
  return runProgram(root, process.execPath, ['tools/src/infra/main.ts', command], environmentOf(checkout))
}

function enginesOf(checkout: Checkout): Engines {
  return readEngines(environmentOf(checkout), join(checkout.folder, 'engines.json'))
}

/** The databases are on the server of the tests. */
function environmentOf({ name, folder }: Checkout): Readonly<Record<string, string>> {
  const databases = ['directory', 'eu', 'us'].map((site) => [
    variableName([site, 'postgresUrl']),
    readEngines().directory.postgresUrl.replace(/[^/]*$/, `sealpost_${name}_${site}`),
  ])
  return { SEALPOST_LOCAL: folder, ...Object.fromEntries(databases) }
}

function portsOf(checkout: Checkout): readonly number[] {
  const { eu, us } = enginesOf(checkout)
  const urls = [eu.natsUrl, us.natsUrl, eu.redisUrl]
  return [...urls.map((url) => Number(new URL(url).port)), ...s3Ports(checkout)]
}

/** Of the monitor and of the gateway. */
function s3Ports({ folder }: Checkout): readonly number[] {
  return readFileSync(join(folder, 's3/ports'), 'utf8').split(' ').map(Number)
}

async function listenAt(port: number): Promise<Server> {
  const server = createServer((socket) => socket.end()).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function writeName(name: string, { eu }: Engines): Promise<void> {
  await askRedis(eu.redisUrl, `SET checkout ${name}`)
  await s3Client(eu).send(new PutObjectCommand({ Bucket: eu.s3.bucket, Key: 'checkout', Body: name }))
}

async function readNames({ eu }: Engines): Promise<readonly (string | undefined)[]> {
  const value = await askRedis(eu.redisUrl, 'GET checkout')
  const { Body } = await s3Client(eu).send(new GetObjectCommand({ Bucket: eu.s3.bucket, Key: 'checkout' }))
  return [value.split('\r\n')[1], await Body?.transformToString()]
}

function s3Client({ s3 }: Engines['eu']): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3
  const credentials = { accessKeyId, secretAccessKey: secretAccessKey.reveal() }
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials })
}
