import { createConnection, createServer, type Socket } from 'node:net'
import { type InstallationEnvironment, reservePort } from '@sealpost/testkit'

/** A TCP proxy in front of a server whose connections can be cut. */
export interface Link {
  /** Clients connect here instead of to the server. */
  readonly url: string
  isCut(): boolean
  /** Closes all connections and refuses new ones. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** `target`: `nats://host:port`. */
export async function openLink(target: string): Promise<Link> {
  const { hostname, port: targetPort, protocol } = new URL(target)
  const { port, release } = await reservePort()
  const open = new Set<Socket>()
  let isCut = false
  const track = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ noDelay: true }, (caller) => {
    track(caller)
    if (isCut) {
      caller.destroy()
      return
    }
    const upstream = createConnection({ host: hostname, port: Number(targetPort), noDelay: true })
    track(upstream)
    caller.pipe(upstream).pipe(caller)
    caller.once('close', () => upstream.destroy())
    upstream.once('close', () => caller.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const closeAll = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `${protocol}//127.0.0.1:${port}`,
    isCut: () => isCut,
    cut() {
      isCut = true
      closeAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      closeAll()
      await new Promise((resolve) => server.close(resolve))
      release()
    },
  }
}

/** Regions that reach each other's NATS servers through links. */
export interface LinkedRegions {
  readonly environment: InstallationEnvironment
  /** One for each direction; cut together. */
  readonly links: readonly Link[]
}

export async function linkRegions(environment: InstallationEnvironment): Promise<LinkedRegions> {
  const [eu, us] = await Promise.all([openLinkFrom(environment, 'eu'), openLinkFrom(environment, 'us')])
  return { environment: { ...environment, eu: eu.settings, us: us.settings }, links: [eu.link, us.link] }
}

async function openLinkFrom(environment: InstallationEnvironment, region: 'eu' | 'us') {
  const { REGIONS = '' } = environment[region]
  const nats = natsOfOther(REGIONS, region)
  const link = await openLink(nats)
  return { link, settings: { ...environment[region], REGIONS: REGIONS.replace(nats, link.url) } }
}

/** Parses `code|name|address|NATS` entries; in a test installation every region has its own NATS server. */
function natsOfOther(regions: string, own: 'eu' | 'us'): string {
  const entries = regions.split(',').map((entry) => entry.split('|'))
  const nats = entries.find(([code]) => code !== own)?.[3]
  if (nats === undefined) throw new Error(`no other region in ${regions}`)
  return nats
}
