import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './processes.ts'

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
  const claims = join(tmpdir(), `sealpost-ports-${userInfo().uid}`)
  mkdirSync(claims, { recursive: true })
  if (!hasSwept) dropStaleClaims(claims)
  hasSwept = true
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    const claim = join(claims, String(port))
    if (!writeClaim(claim)) continue
    if (await isPortFree(port)) return { port, release: () => rmSync(claim, { force: true }) }
    rmSync(claim, { force: true })
  }
  throw new Error(`no free port between ${FIRST} and ${LAST} after ${ATTEMPTS} attempts: end what listens there`)
}

function writeClaim(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Of processes that ended without giving their ports back. */
function dropStaleClaims(claims: string): void {
  for (const name of readdirSync(claims)) {
    try {
      const claim = join(claims, name)
      if (!isAlive(Number(readFileSync(claim, 'utf8')))) rmSync(claim, { force: true })
    } catch {
      // Its owner released it in between.
    }
  }
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
