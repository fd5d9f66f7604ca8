import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Addresses, AppAddress } from '@sealpost/testkit'
import { claimPort, type ReservedPort } from '@sealpost/testkit/engines'
import { localFolder } from '../infra/local-folder.ts'

/** The ports of `npm run dev` where nothing else has them. */
const PORTS = { person: 8070, portal: 8072, frontDoor: 8080, eu: 8090, us: 8190, forwarder: 8290 }
const STEP = 1000
const STEPS = 20

export interface DevAddresses extends Required<Addresses> {
  /** The web apps; by name, because passkeys and cookies are for a name. */
  readonly person: number
  readonly portal: number
}

export function addressesAt(offset: number): DevAddresses {
  const app = (port: number): AppAddress => ({ port: port + offset, internalPort: port + offset + 1 })
  return {
    frontDoor: app(PORTS.frontDoor),
    eu: app(PORTS.eu),
    us: app(PORTS.us),
    forwarder: app(PORTS.forwarder),
    person: PORTS.person + offset,
    portal: PORTS.portal + offset,
  }
}

/** The ports plus `SEALPOST_PORT_OFFSET`; without it, plus the first thousands that are free. */
export async function chooseAddresses(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<DevAddresses> {
  const offset = givenOffset(environment) ?? (await keepFirstOffset())
  writeFileSync(offsetFile(), `${offset}\n`)
  return addressesAt(offset)
}

/** Those that `npm run dev` of this checkout has chosen at its last start. */
export function knownAddresses(): DevAddresses {
  return addressesAt(existsSync(offsetFile()) ? Number(readFileSync(offsetFile(), 'utf8')) : 0)
}

export function givenOffset({
  SEALPOST_PORT_OFFSET: given,
}: Readonly<Record<string, string | undefined>>): number | null {
  if (given === undefined) return null
  const offset = Number(given)
  if (Number.isInteger(offset) && offset > -PORTS.person && offset < 57_000) return offset
  throw new Error('SEALPOST_PORT_OFFSET must be a whole number that is added to the ports of development')
}

export interface ClaimedOffset {
  readonly offset: number
  readonly release: () => void
}

export async function claimFirstOffset(): Promise<ClaimedOffset> {
  for (let step = 0; step < STEPS; step += 1) {
    const release = await claimAll(addressesAt(step * STEP))
    if (release !== null) return { offset: step * STEP, release }
  }
  throw new Error('no free ports were found; set SEALPOST_PORT_OFFSET')
}

/** Until this process ends: an app that restarts after a change must find its port free. */
async function keepFirstOffset(): Promise<number> {
  const { offset, release } = await claimFirstOffset()
  process.once('exit', release)
  return offset
}

/** All or none; one after the other, because of two that claim at once, the first port decides. */
async function claimAll({ person, portal, ...apps }: DevAddresses): Promise<(() => void) | null> {
  const claims: ReservedPort[] = []
  const release = () => claims.forEach((claim) => claim.release())
  for (const port of [person, portal, ...Object.values(apps).flatMap((app) => [app.port, app.internalPort])]) {
    const claim = await claimPort(port)
    if (claim === null) {
      release()
      return null
    }
    claims.push(claim)
  }
  return release
}

function offsetFile(): string {
  return join(localFolder('run'), 'port-offset')
}
