import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { DIRECTORY, FORWARDER, type Party } from '@sealpost/bus'
import { type Certified, createAuthority, createServerCertificate } from '@sealpost/bus/certificates'
import { accountConfig, createKey, keysText, type PartyKeys, publicKeyOf, tlsConfig } from '@sealpost/bus/credentials'
import { Secret } from '@sealpost/kernel'
import { openFolder, type SecretFolder } from './secret-folder.ts'

export interface BusSite {
  readonly region: Party
  /** Names and addresses under which the parties reach its NATS. */
  readonly hosts: readonly string[]
}

export interface BusCredentialsOptions {
  readonly sites: readonly BusSite[]
  readonly folder: string
  /** Where the files of a server, and `ca.crt` of a party, will be on their machines. */
  readonly installAt: string
  /** Gets new keys; the servers still accept the earlier ones. */
  readonly rotate: Party | null
  /** New certificates of all servers under a new authority; parties still trust the earlier one. */
  readonly hasNewAuthority: boolean
  /** Ends a rotation: earlier keys and the earlier authority are removed. */
  readonly isRetiring: boolean
  readonly nowMs: number
}

/** The public keys that a rotation has replaced, by party and region. */
type Retiring = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const RENEW_BEFORE_MS = 30 * 86_400_000

/**
 * Keys that exist are kept and missing ones added, so that a region can be added by running it again. Returns what was
 * written, without any secret.
 */
export async function writeBusCredentials(options: BusCredentialsOptions): Promise<readonly string[]> {
  const folder = openFolder(options.folder)
  const parties = [DIRECTORY, FORWARDER, ...options.sites.map(({ region }) => region)]
  const earlier = new Map(parties.map((party) => [party, readKeys(folder, party)] as const))
  const keys = new Map(
    parties.map((party) => [party, completeKeys(earlier.get(party), options, party === options.rotate)] as const),
  )
  const retiring = options.isRetiring ? {} : addRetired(readRetiring(folder), options.rotate, earlier)
  const authority = await writeAuthority(folder, options)
  folder.write('retiring.json', `${JSON.stringify(retiring, null, 2)}\n`)
  for (const [party, own] of keys) {
    const settings = { NATS_KEYS: keysText(own).reveal(), NATS_CA_FILE: join(options.installAt, 'ca.crt') }
    folder.write(join('parties', party, 'settings.env'), environmentText(settings))
    folder.write(join('parties', party, 'ca.crt'), authority.trusted)
  }
  for (const site of options.sites) {
    const publicKeys = new Map(
      [...keys].map(([party, own]) => [party, publicKeysAt(site.region, own, retiring[party])] as const),
    )
    folder.write(serverFile(site, 'bus.conf'), accountConfig(site.region, publicKeys))
    folder.write(
      serverFile(site, 'tls.conf'),
      tlsConfig(join(options.installAt, 'server.crt'), join(options.installAt, 'server.key')),
    )
    await writeServerCertificate(folder, site, authority.signing, options)
  }
  return report(options, parties)
}

function completeKeys(known: PartyKeys | undefined, { sites }: BusCredentialsOptions, isRotated: boolean): PartyKeys {
  return new Map(
    sites.map(({ region }) => [region, (isRotated ? undefined : known?.get(region)) ?? createKey()] as const),
  )
}

function publicKeysAt(region: Party, own: PartyKeys, retired: Retiring[string] | undefined): readonly string[] {
  const current = own.get(region)
  return [...(current === undefined ? [] : [publicKeyOf(current)]), ...(retired?.[region] ?? [])]
}

function addRetired(known: Retiring, rotated: Party | null, earlier: ReadonlyMap<Party, PartyKeys>): Retiring {
  if (rotated === null) return known
  const replaced = [...(earlier.get(rotated) ?? [])].map(
    ([region, seed]) => [region, [...(known[rotated]?.[region] ?? []), publicKeyOf(seed)]] as const,
  )
  return { ...known, [rotated]: Object.fromEntries(replaced) }
}

function readKeys(folder: SecretFolder, party: Party): PartyKeys {
  const text = folder.read(join('parties', party, 'settings.env')) ?? ''
  const setting = /^NATS_KEYS=(.*)$/m.exec(text)?.[1] ?? ''
  const pairs = setting.split(',').filter((pair) => pair !== '')
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf(':')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this command from a party
      return [pair.slice(0, at) as Party, new Secret(pair.slice(at + 1))] as const
    }),
  )
}

function readRetiring(folder: SecretFolder): Retiring {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this command in this very shape
  return JSON.parse(folder.read('retiring.json') ?? '{}') as Retiring
}

interface Authority {
  readonly signing: Certified
  /** The certificates that parties trust: the one that signs and, during a rotation, the earlier one. */
  readonly trusted: string
}

async function writeAuthority(folder: SecretFolder, options: BusCredentialsOptions): Promise<Authority> {
  const [key, trusted] = [folder.read('ca.key'), folder.read('ca.crt')]
  if (key === null || trusted === null || options.hasNewAuthority) {
    const signing = await createAuthority(options.nowMs)
    const both = `${signing.certificate}${firstCertificate(trusted ?? '')}`
    folder.write('ca.key', signing.key.reveal())
    folder.write('ca.crt', both)
    return { signing, trusted: both }
  }
  const certificate = firstCertificate(trusted)
  const kept = options.isRetiring ? certificate : trusted
  folder.write('ca.crt', kept)
  return { signing: { certificate, key: new Secret(key) }, trusted: kept }
}

/** The newest comes first. */
function firstCertificate(bundle: string): string {
  return /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/.exec(bundle)?.[0] ?? ''
}

async function writeServerCertificate(
  folder: SecretFolder,
  site: BusSite,
  authority: Certified,
  { nowMs }: BusCredentialsOptions,
): Promise<void> {
  const known = folder.read(serverFile(site, 'server.crt'))
  if (known !== null && isUsable(new X509Certificate(known), site, authority, nowMs)) return
  const { certificate, key } = await createServerCertificate(authority, site.hosts, nowMs)
  folder.write(serverFile(site, 'server.crt'), certificate)
  folder.write(serverFile(site, 'server.key'), key.reveal())
}

function isUsable(certificate: X509Certificate, { hosts }: BusSite, authority: Certified, nowMs: number): boolean {
  const isFresh = certificate.validToDate.getTime() - nowMs > RENEW_BEFORE_MS
  const isOurs = certificate.verify(new X509Certificate(authority.certificate).publicKey)
  return isFresh && isOurs && hosts.every((host) => isNamed(certificate, host))
}

function isNamed(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined
}

function serverFile({ region }: BusSite, name: string): string {
  return join('servers', region, name)
}

function environmentText(settings: Readonly<Record<string, string>>): string {
  return `${Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`
}

function report(
  { folder, sites, rotate, isRetiring }: BusCredentialsOptions,
  parties: readonly Party[],
): readonly string[] {
  return [
    `written to ${folder}, readable by this user only:`,
    ...sites.map(
      ({ region }) => `  servers/${region}: bus.conf, tls.conf, server.crt, server.key for the NATS of ${region}`,
    ),
    ...parties.map((party) => `  parties/${party}: settings.env and ca.crt for ${processesOf(party)}`),
    '  ca.key signs certificates of servers: keep it offline',
    ...(rotate === null ? [] : [`the servers accept the earlier keys of ${rotate} until you run this with --retire`]),
    ...(isRetiring ? ['earlier keys and authorities are removed'] : []),
  ]
}

function processesOf(party: Party): string {
  if (party === FORWARDER) return 'the forwarders'
  return party === DIRECTORY ? 'the front doors' : `the processes of region ${party}`
}
