import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { answersJetStream, natsConfig, natsVersion } from '@sealpost/testkit/engines'
import type { EnginePlan } from './engine.ts'
import { localFolder } from './local-folder.ts'
import { hasProgram } from './packages.ts'
import { firstFreePort, startDaemon, waitForDaemon } from './processes.ts'

const START_DEADLINE_MS = 20_000
/** Our streams, including those of key-value and object buckets. */
const OUR_STREAMS = /^(KV_|OBJ_)?sealpost/i

/** One independent server per region, so that an outage of one does not affect the other. */
export function planNats(region: string, preferredPort: number): EnginePlan {
  return {
    daemon: `nats-${region}`,
    wellKnownUrl: `nats://127.0.0.1:${preferredPort}`,
    answers: answersJetStream,
    packages: hasProgram('nats-server') ? [] : ['nats-server'],
    start: () => startNats(region, preferredPort),
  }
}

export async function checkNats(url: string): Promise<void> {
  await withJetStream(url, (manager) => manager.getAccountInfo())
}

/** Deletes our streams with their consumers, and no others. */
export async function deleteStreams(url: string): Promise<number> {
  return withJetStream(url, async (manager) => {
    const names: string[] = []
    for await (const name of manager.streams.names()) if (OUR_STREAMS.test(name)) names.push(name)
    for (const name of names) await manager.streams.delete(name)
    return names.length
  })
}

async function withJetStream<T>(url: string, work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const connection = await connect({ servers: url, timeout: 5000 })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}

async function startNats(region: string, preferredPort: number): Promise<string> {
  const daemon = `nats-${region}`
  const port = await firstFreePort(preferredPort)
  const folder = localFolder(daemon)
  const config = join(folder, 'nats.conf')
  const version = await natsVersion()
  writeFileSync(config, natsConfig({ port, store: join(folder, 'store'), version, name: `sealpost-${region}` }))
  startDaemon(daemon, `nats://127.0.0.1:${port}`, { file: 'nats-server', args: ['-c', config] })
  return waitForDaemon(daemon, START_DEADLINE_MS, answersJetStream)
}
