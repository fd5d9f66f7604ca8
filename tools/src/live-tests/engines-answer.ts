import { once } from 'node:events'
import { connect } from 'node:net'
import { type Engines, readEngines } from '@sealpost/testkit/engines'

const PATIENCE_MS = 20_000

/** Runs once before the live tests: a missing engine is one clear sentence instead of a hundred time-outs. */
export default async function requireEngines(): Promise<void> {
  const addresses = [...new Set(engineUrls(readEngines()))]
  const silent: string[] = []
  await Promise.all(
    addresses.map(async (address) => {
      const server = serverOf(address)
      if (!(await answers(server))) silent.push(`${server.protocol}//${server.host}`)
    }),
  )
  if (silent.length > 0)
    throw new Error(`live tests need engines that do not answer: ${silent.join(', ')}; run npm run infra first`)
}

function engineUrls({ directory, eu, us }: Engines): readonly string[] {
  const sites = [directory, eu, us].flatMap((site) => [site.postgresUrl, site.natsUrl, site.redisUrl])
  return [...sites, eu.s3.endpoint, us.s3.endpoint]
}

async function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Without credentials, and the first of several hosts (`postgres://user@one:5432,two:5432/name`). */
function serverOf(address: string): URL {
  return new URL(address.replace(/\/\/[^@/]*@/, '//').replace(/,[^/]*/, ''))
}
