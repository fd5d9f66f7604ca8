import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cephConfig, type CephSite } from './ceph-config.ts'
import { type Command, runCommand } from './processes.ts'
import { waitUntil } from './wait-until.ts'

export interface S3User {
  readonly name: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export type CephDaemon = 'monitor' | 'store' | 'gateway'
/** May wait until the daemon can be used: what follows talks to it. */
export type LaunchDaemon = (daemon: CephDaemon, command: Command) => void | Promise<void>

// Relative, because some of Ceph's settings are cut at a space: everything runs inside of the site's folder.
const CONFIG = 'ceph.conf'
const KEYRING = 'keyring'
const GATEWAY_DEADLINE_MS = 60_000

/** Creates the site if its folder is empty, then launches its daemons through `launch`; resolves when S3 answers. */
export async function launchCeph(site: CephSite, launch: LaunchDaemon): Promise<void> {
  const isNew = !isCephCreated(site.folder)
  if (isNew) await createMonitor(site)
  await launch('monitor', daemon(site, 'ceph-mon', ['-i', 'a']))
  if (isNew) await createStore(site)
  await launch('store', daemon(site, 'ceph-osd', ['-i', '0']))
  await launch('gateway', daemon(site, 'radosgw', ['-n', 'client.rgw']))
  const url = `http://127.0.0.1:${site.gatewayPort}`
  await waitUntil(`the S3 gateway answers at ${url}`, GATEWAY_DEADLINE_MS, () => answersHttp(url))
  writeFileSync(join(site.folder, 'created'), '')
}

/** False also for a site whose creation was interrupted: its folder is of no use. */
export function isCephCreated(folder: string): boolean {
  return existsSync(join(folder, 'created'))
}

/** Writes the ports of `site` into the records of a site that does not run; its data stay. */
export async function moveCeph(site: CephSite): Promise<void> {
  const id = /^fsid = (.*)$/m.exec(readFileSync(join(site.folder, CONFIG), 'utf8'))?.[1]
  if (id === undefined) throw new Error(`${join(site.folder, CONFIG)} has no fsid`)
  writeFileSync(join(site.folder, CONFIG), cephConfig(site, id))
  await createMonitorMap(site, id)
  await runIn(site, 'ceph-mon', ['-c', CONFIG, '-i', 'a', '--inject-monmap', 'monmap'])
}

/** Asking twice for the same user is fine. */
export async function createS3User(site: CephSite, user: S3User): Promise<void> {
  const keys = ['--access-key', user.accessKeyId, '--secret-key', user.secretAccessKey]
  const args = ['-c', CONFIG, 'user', 'create', '--uid', user.name, '--display-name', user.name, ...keys]
  await runIn(site, 'radosgw-admin', args).catch((error: unknown) => {
    if (!String(error).includes('exists')) throw error
  })
}

/** Any answer will do: an S3 server that refuses us is up. */
export async function answersHttp(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await answer.body?.cancel()
    return answer.status < 500
  } catch {
    return false
  }
}

async function createMonitor(site: CephSite): Promise<void> {
  const id = randomUUID()
  for (const folder of ['monitor', 'store', 'gateway', 'log']) mkdirSync(join(site.folder, folder), { recursive: true })
  writeFileSync(join(site.folder, CONFIG), cephConfig(site, id))
  await createKeyring(site)
  await createMonitorMap(site, id)
  await runIn(site, 'ceph-mon', ['-c', CONFIG, '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', KEYRING])
}

async function createMonitorMap(site: CephSite, id: string): Promise<void> {
  const address = `[v2:127.0.0.1:${site.monitorPort}]`
  await runIn(site, 'monmaptool', ['--create', '--clobber', '--addv', 'a', address, '--fsid', id, 'monmap'])
}

/** The monitor takes these keys over when it is created, so that no key has to be asked for afterwards. */
async function createKeyring(site: CephSite): Promise<void> {
  const holders = {
    'mon.': ['--cap', 'mon', 'allow *'],
    'client.admin': ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'],
    'client.rgw': ['--cap', 'mon', 'allow rwx', '--cap', 'osd', 'allow rwx'],
    'osd.0': ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
  }
  await runIn(site, 'ceph-authtool', ['--create-keyring', KEYRING])
  for (const [name, capabilities] of Object.entries(holders))
    await runIn(site, 'ceph-authtool', [KEYRING, '--gen-key', '-n', name, ...capabilities])
}

async function createStore(site: CephSite): Promise<void> {
  const id = randomUUID()
  await runIn(site, 'ceph', ['-c', CONFIG, 'osd', 'new', id, '0'])
  await runIn(site, 'ceph-osd', ['-c', CONFIG, '-i', '0', '--mkfs', '--osd-uuid', id])
}

function daemon({ folder }: CephSite, file: string, args: readonly string[]): Command {
  return { file, args: ['-c', CONFIG, ...args, '-f'], folder }
}

function runIn({ folder }: CephSite, file: string, args: readonly string[]): Promise<string> {
  return runCommand({ file, args, folder })
}
