import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIRECTORY, FORWARDER, parseParty } from '@sealpost/bus'
import { Secret } from '@sealpost/kernel'
import { writeBusCredentials } from '@sealpost/region/bus-credentials'
import { localFolder } from './local-folder.ts'

/** The keys and certificates of the NATS servers of development, by `bus:credentials`. */
export function busFolder(): string {
  return localFolder('bus')
}

/** As parties reach the NATS servers of `compose.yaml`, and those that `npm run infra` starts. */
export const DEV_REGIONS =
  'eu|Europe|http://127.0.0.1:8090|tls://127.0.0.1:4222,us|United States|http://127.0.0.1:8190|tls://127.0.0.1:4223'

const HOSTS = ['127.0.0.1', 'localhost']
/** Where compose.yaml mounts the files of a server. */
const MOUNTED_AT = '/etc/sealpost-bus'

/** Makes what is missing; repeating it changes nothing. */
export async function writeLocalCredentials(regions: readonly string[]): Promise<void> {
  await writeBusCredentials({
    sites: regions.map((region) => ({ region: parseParty(region), hosts: HOSTS })),
    folder: busFolder(),
    installAt: MOUNTED_AT,
    rotate: null,
    hasNewAuthority: false,
    isRetiring: false,
    nowMs: Date.now(),
  })
}

export interface LocalLogin {
  /** The setting `NATS_KEYS`. */
  readonly natsKeys: Secret<string>
  readonly natsCaFile: string
}

export function localLogin(party: string): LocalLogin {
  const text = readFileSync(join(busFolder(), 'parties', parseParty(party), 'settings.env'), 'utf8')
  const natsKeys = new Secret(/^NATS_KEYS=(.*)$/m.exec(text)?.[1] ?? '')
  return { natsKeys, natsCaFile: join(busFolder(), 'ca.crt') }
}

/** One key of the setting `NATS_KEYS`. */
export function keyAt(natsKeys: Secret<string>, region: string): Secret<string> {
  const pairs = natsKeys.reveal().split(',')
  const found = pairs.find((pair) => pair.startsWith(`${region}:`))
  if (found === undefined) throw new Error(`NATS_KEYS has no key for ${region}: run npm run infra`)
  return new Secret(found.slice(region.length + 1))
}

export function serverFolder(region: string): string {
  return join(busFolder(), 'servers', region)
}

export const LOCAL_PARTIES = [DIRECTORY, FORWARDER, 'eu', 'us'] as const
