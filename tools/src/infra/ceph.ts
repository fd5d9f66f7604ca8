import { once } from 'node:events'
import { createConnection } from 'node:net'
import {
  answersHttp,
  type CephDaemon,
  type Command,
  createS3User,
  isPortFree,
  launchCeph,
  type S3User,
} from '@sealpost/testkit/engines'
import { type ClaimedSite, claimSite } from './ceph-site.ts'
import { DaemonFailure } from './daemon-failure.ts'
import { START_TRIES } from './ports.ts'
import { findDaemon, requireDaemon, startDaemon, stopDaemon, waitForDaemon } from './processes.ts'

const DAEMONS = {
  monitor: 's3-monitor',
  store: 's3-store',
  gateway: 's3-gateway',
} satisfies Record<CephDaemon, string>

export const GATEWAY = DAEMONS.gateway

export function hasAllDaemons(): boolean {
  return Object.values(DAEMONS).every((daemon) => findDaemon(daemon) !== null)
}

/** Starts the site of this checkout, with these users; resolves with the address of its gateway when it answers. */
export async function startCeph(users: readonly S3User[], tries = START_TRIES): Promise<string> {
  await stopAll()
  const site = await claimSite()
  try {
    await launchCeph(site, (daemon, command) => launch(site, daemon, command))
    for (const user of users) await createS3User(site, user)
    return await waitForDaemon(DAEMONS.gateway, answersHttp)
  } catch (error) {
    await stopAll()
    if (tries === 1 || (await areFree(site))) throw describe(error)
  } finally {
    site.release()
  }
  return startCeph(users, tries - 1)
}

async function launch(site: ClaimedSite, daemon: CephDaemon, command: Command): Promise<void> {
  const name = DAEMONS[daemon]
  const port = daemon === 'monitor' ? site.monitorPort : site.gatewayPort
  startDaemon(name, `http://127.0.0.1:${port}`, command)
  // The programs that follow would ask the monitor of another checkout, which refuses their keys.
  if (daemon === 'monitor') await waitForDaemon(name, acceptsConnections)
  if (daemon === 'gateway') await waitForDaemon(name, answersWithOthers)
}

/** Without its monitor and store, the gateway would be silent for ever. */
async function answersWithOthers(url: string): Promise<boolean> {
  for (const other of [DAEMONS.monitor, DAEMONS.store]) requireDaemon(other)
  return answersHttp(url)
}

async function acceptsConnections(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** A gateway stops before its store, and the store before its monitor. */
async function stopAll(): Promise<void> {
  for (const daemon of [DAEMONS.gateway, DAEMONS.store, DAEMONS.monitor]) await stopDaemon(daemon)
}

async function areFree({ monitorPort, gatewayPort }: ClaimedSite): Promise<boolean> {
  return (await isPortFree(monitorPort)) && isPortFree(gatewayPort)
}

/** A program that talks to the site may fail before a daemon does. */
function describe(error: unknown): Error {
  if (error instanceof DaemonFailure) return error
  return new DaemonFailure(DAEMONS.monitor, `could not be prepared (${String(error)})`, { cause: error })
}
