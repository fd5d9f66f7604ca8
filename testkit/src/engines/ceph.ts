import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cephConfig } from './ceph-config.ts'
import { type Command, runCommand } from './processes.ts'
import { waitUntil } from './wait-until.ts'

/** One monitor, one store and one gateway: the smallest Ceph that speaks S3. */
export interface CephSite {
  readonly folder: string
  readonly monitorPort: number
  readonly gatewayPort: number
  /** `memory` starts faster and forgets everything when it is killed. */
  readonly store: 'memory' | 'disk'
}

export interface S3User {
  readonly name: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export type CephDaemon = 'monitor' | 'store' | 'gateway'
export type LaunchDaemon = (daemon: CephDaemon, command: Command) => void

const GATEWAY_DEADLINE_MS = 60_000

/** Creates the site if its folder is empty, then launches its daemons through `launch`; resolves when S3 answers. */
export async function launchCeph(site: CephSite, launch: LaunchDaemon): Promise<void> {
  const isNew = !existsSync(join(site.folder, 'created'))
  if (isNew) await createMonitor(site)
  launch('monitor', daemon(site, 'ceph-mon', ['-i', 'a']))
  if (isNew) await createStore(site)
  launch('store', daemon(site, 'ceph-osd', ['-i', '0']))
  launch('gateway', daemon(site, 'radosgw', ['-n', 'client.rgw']))
  const url = `http://127.0.0.1:${site.gatewayPort}`
  await waitUntil(`the S3 gateway answers at ${url}`, GATEWAY_DEADLINE_MS, () => answersHttp(url))
  writeFileSync(join(site.folder, 'created'), '')
}

/** Asking twice for the same user is fine. */
export async function createS3User(site: CephSite, user: S3User): Promise<void> {
  const keys = ['--access-key', user.accessKeyId, '--secret-key', user.secretAccessKey]
  const args = ['-c', configFile(site), 'user', 'create', '--uid', user.name, '--display-name', user.name, ...keys]
  await runCommand({ file: 'radosgw-admin', args }).catch((error: unknown) => {
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
  const monmap = join(site.folder, 'monmap')
  const keyring = join(site.folder, 'keyring')
  for (const folder of ['monitor', 'store', 'gateway', 'log']) mkdirSync(join(site.folder, folder), { recursive: true })
  writeFileSync(configFile(site), cephConfig(site, id))
  await createKeyring(keyring)
  const address = `[v2:127.0.0.1:${site.monitorPort}]`
  const map = ['--create', '--clobber', '--addv', 'a', address, '--fsid', id, monmap]
  await runCommand({ file: 'monmaptool', args: map })
  const mkfs = ['-c', configFile(site), '--mkfs', '-i', 'a', '--monmap', monmap, '--keyring', keyring]
  await runCommand({ file: 'ceph-mon', args: mkfs })
}

/** The monitor takes these keys over when it is created, so that no key has to be asked for afterwards. */
async function createKeyring(file: string): Promise<void> {
  const holders = {
    'mon.': ['mon', 'allow *'],
    'client.admin': ['mon', 'allow *', 'osd', 'allow *', 'mgr', 'allow *'],
    'client.rgw': ['mon', 'allow rwx', 'osd', 'allow rwx'],
    'osd.0': ['mon', 'allow profile osd', 'osd', 'allow *'],
  }
  await runCommand({ file: 'ceph-authtool', args: ['--create-keyring', file] })
  for (const [name, capabilities] of Object.entries(holders)) {
    const caps = Array.from({ length: capabilities.length / 2 }, (_, i) => [
      '--cap',
      ...capabilities.slice(2 * i, 2 * i + 2),
    ])
    await runCommand({ file: 'ceph-authtool', args: [file, '--gen-key', '-n', name, ...caps.flat()] })
  }
}

async function createStore(site: CephSite): Promise<void> {
  const id = randomUUID()
  await runCommand({ file: 'ceph', args: ['-c', configFile(site), 'osd', 'new', id, '0'] })
  const mkfs = ['-c', configFile(site), '-i', '0', '--mkfs', '--osd-uuid', id]
  await runCommand({ file: 'ceph-osd', args: mkfs })
}

function daemon(site: CephSite, file: string, args: readonly string[]): Command {
  return { file, args: ['-c', configFile(site), ...args, '-f'] }
}

function configFile(site: CephSite): string {
  return join(site.folder, 'ceph.conf')
}
