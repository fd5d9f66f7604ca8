import type { World } from '@sealpost/testkit'
import { setAt } from '../hostile-server/edit.ts'
import { type HostileServer, type Lie, openHostileServer } from '../hostile-server/proxy.ts'
import { openPersonApp, type PersonApp, type PersonAppOptions } from './person-app.ts'

/** The app with a server in front of every honest one that changes answers, or loses them. */
export interface HostileApp extends PersonApp {
  readonly door: HostileServer
  readonly us: HostileServer
  readonly eu: HostileServer
}

export async function openHostileApp({ settings = {} }: Pick<PersonAppOptions, 'settings'> = {}): Promise<HostileApp> {
  const opened = new Map<string, HostileServer>()
  /** The app learns the address of its region from the front door. */
  const leadHere: Lie = ({ body }) => setAt(body, ['api_url'], (url: unknown) => opened.get(String(url))?.url ?? url)
  const open = async (url: string, world: World): Promise<HostileServer> => {
    const server = await openHostileServer(url, hasAddress(url, world) ? leadHere : null)
    world.onEnd(() => server.close())
    opened.set(url, server)
    return server
  }
  const app = await openPersonApp({
    settings,
    between: async (url, world) => (opened.get(url) ?? (await open(url, world))).url,
  })
  const { frontDoor, us, eu } = app.world
  const at = (url: string): HostileServer => opened.get(url) ?? missing(url)
  return { ...app, door: at(frontDoor.url), us: at(us.url ?? ''), eu: at(eu.url ?? '') }
}

function hasAddress(url: string, { frontDoor }: World): boolean {
  return url === frontDoor.url
}

function missing(url: string): never {
  throw new Error(`nothing stands in front of ${url}`)
}
