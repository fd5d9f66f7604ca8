import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { claimFile, dropStaleClaim } from './claim-file.ts'

// Below the range the kernel gives to outgoing connections: while an engine is down, a client that keeps dialling
// a port of that range can be given the very same port as its own and connect to itself.
const FIRST = 15_000
const LAST = 32_000
const ATTEMPTS = 200

export interface ReservedPort {
  readonly port: number
  readonly release: () => void
}

let hasSwept = false

/** A free port of loopback that no other test process takes, also while its engine is down. */
export async function reservePort(): Promise<ReservedPort> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const reserved = await claimPort(FIRST + Math.floor(Math.random() * (LAST - FIRST)))
    if (reserved !== null) return reserved
  }
  throw new Error(`no free port between ${FIRST} and ${LAST} after ${ATTEMPTS} attempts: end what listens there`)
}

/**
 * Null for a port at which a process listens or that another process has claimed. A probe alone is not enough: it ends
 * before the engine listens, and a second process that probes in between chooses the same port.
 */
export async function claimPort(port: number): Promise<ReservedPort | null> {
  const claim = join(claimsFolder(), String(port))
  if (!claimFile(claim)) return null
  const release = () => rmSync(claim, { force: true })
  if (await isPortFree(port)) return { port, release }
  release()
  return null
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Of all checkouts of a user. */
function claimsFolder(): string {
  const claims = join(tmpdir(), `sealpost-ports-${userInfo().uid}`)
  mkdirSync(claims, { recursive: true })
  // Claims of processes that ended without giving their ports back.
  if (!hasSwept) for (const name of readdirSync(claims)) dropStaleClaim(join(claims, name))
  hasSwept = true
  return claims
}
