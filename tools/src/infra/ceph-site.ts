import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CephSite, claimPort, isCephCreated, moveCeph, type ReservedPort } from '@sealpost/testkit/engines'
import { localFolder } from './local-folder.ts'
import { claimFirstPort } from './ports.ts'

const PREFERRED_GATEWAY_PORT = 7480
const PREFERRED_MONITOR_PORT = 13_300

export interface ClaimedSite extends CephSite {
  readonly release: () => void
}

/**
 * The ports are in the records of the site, so it keeps them. When another process has taken one, the site moves: it gets
 * new ports and keeps its data. Nothing of the site may run.
 */
export async function claimSite(): Promise<ClaimedSite> {
  // Its creation was interrupted: it has no data yet, and cannot be completed.
  if (!isCephCreated(localFolder('s3'))) rmSync(localFolder('s3'), { recursive: true })
  const folder = localFolder('s3')
  const kept = readPorts(folder)
  const monitor = await claimKept(kept[0], PREFERRED_MONITOR_PORT)
  const gateway = await claimKept(kept[1], PREFERRED_GATEWAY_PORT)
  const release = () => [monitor, gateway].forEach((claim) => claim.release())
  const site: ClaimedSite = { folder, monitorPort: monitor.port, gatewayPort: gateway.port, store: 'disk', release }
  try {
    await recordPorts(site, kept)
    return site
  } catch (error) {
    release()
    throw error
  }
}

async function recordPorts(site: CephSite, kept: readonly number[]): Promise<void> {
  const chosen = [site.monitorPort, site.gatewayPort]
  if (chosen.join(' ') === kept.join(' ')) return
  const taken = kept.filter((port) => !chosen.includes(port))
  if (taken.length > 0)
    console.log(`  S3: other processes have taken port ${taken.join(' and ')}; it moves to ${chosen.join(' and ')}`)
  // Absent while the records change: after an interruption, the next run writes them anew.
  rmSync(portsFile(site.folder), { force: true })
  if (isCephCreated(site.folder)) await moveCeph(site)
  writeFileSync(portsFile(site.folder), chosen.join(' '))
}

async function claimKept(kept: number | undefined, preferred: number): Promise<ReservedPort> {
  return (kept === undefined ? null : await claimPort(kept)) ?? claimFirstPort(preferred)
}

/** Of the monitor and of the gateway; none for a new site. */
function readPorts(folder: string): readonly number[] {
  const file = portsFile(folder)
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : []
}

function portsFile(folder: string): string {
  return join(folder, 'ports')
}
