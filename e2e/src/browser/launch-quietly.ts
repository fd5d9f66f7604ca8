import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const DEBIAN_CHROMIUM = '/usr/bin/chromium'
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // The flags above do not stop the browser's own update and account requests; without DNS they fail.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/** A headless Chromium that reaches only this machine. */
export function launchQuietly(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), headless: true, args: [...QUIET, ...more] })
}

function findChromium(): string {
  const program = process.env['SEALPOST_CHROMIUM'] ?? DEBIAN_CHROMIUM
  if (existsSync(program)) return program
  throw new Error(`no browser at ${program}: run npm run infra, or set SEALPOST_CHROMIUM to the path of a Chromium`)
}
