import { parseParty } from '@sealpost/bus'
import { carrierOfLink, linksBetween, streamName } from '@sealpost/bus/credentials'
import { dropTestDatabases } from '@sealpost/testkit/databases'
import { type Environment, readEngines } from '@sealpost/testkit/engines'
import { LOCAL_PARTIES } from './bus-folder.ts'
import { deleteStreams } from './nats.ts'
import { dropDatabase, recreateDatabase } from './postgres.ts'
import { deleteKeys } from './redis.ts'
import { emptyBucket } from './s3.ts'
import { natsAddress } from './up.ts'

const LOOPBACK_URL = /\/\/(?:[^@/]*@)?(?:(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?,?)+(?:[/?]|$)/
const ADDRESS_VARIABLE = /^SEALPOST_.*(_URL|_S3_ENDPOINT)$/

/** Deletes our data in every engine and reports the counts; the engines keep running. */
export async function resetEngines(): Promise<readonly string[]> {
  const engines = readEngines()
  const { directory, eu, us } = engines
  for (const site of [directory, eu, us]) await recreateDatabase(site.postgresUrl)
  const clones = await dropTestDatabases(directory.postgresUrl)
  const streams = await sum(
    (['eu', 'us'] as const).map((region) => deleteStreams(natsAddress(engines, region), streamsAt(region))),
  )
  const keys = await sum([...new Set([directory.redisUrl, eu.redisUrl, us.redisUrl])].map(deleteKeys))
  const objects = await sum([eu.s3, us.s3].map(emptyBucket))
  return [
    `recreated 3 databases, deleted ${clones} test databases`,
    `deleted ${streams} streams`,
    `deleted ${keys} Redis keys`,
    `deleted ${objects} objects`,
  ]
}

/** Before a checkout is deleted: its databases are on a server that others use, too. */
export async function dropDatabases(): Promise<void> {
  const { directory, eu, us } = readEngines()
  for (const site of [directory, eu, us]) await dropDatabase(site.postgresUrl)
}

/** Settings may name a remote engine, where a reset would destroy real data. */
export function requireLoopback(environment: Environment): void {
  for (const [name, value] of Object.entries(environment))
    if (ADDRESS_VARIABLE.test(name) && !LOOPBACK_URL.test(value ?? ''))
      throw new Error(`reset works on local engines only: unset ${name}, which names a remote one`)
}

/** The streams of the links that the NATS of a region can carry. */
function streamsAt(region: string): readonly string[] {
  const links = linksBetween(LOCAL_PARTIES.map(parseParty))
  return links.filter((link) => carrierOfLink(link) === region).map(streamName)
}

async function sum(counts: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(counts)).reduce((total, count) => total + count, 0)
}
