import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { runsAsRoot } from '@sealpost/testkit/engines'

/** Installs the missing packages of all engines at once. Other users than root get the command to run. */
export async function installPackages(packages: readonly string[]): Promise<void> {
  if (packages.length === 0) return
  const names = [...new Set(packages)].toSorted()
  if (!runsAsRoot() || !hasProgram('apt-get'))
    throw new Error(
      `engines are missing: install them with\n  sudo apt-get install --no-install-recommends ${names.join(' ')}\n` +
        `and run this again, or point the SEALPOST_… variables at engines of your own (compose.yaml has a set)`,
    )
  console.log(`  installing ${names.join(' ')} …`)
  await withQuietInstall(async () => {
    await aptGet(['update', '-q'])
    await aptGet(['install', '-q', '-y', '--no-install-recommends', ...names])
  })
}

export function hasProgram(name: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.some((folder) => existsSync(join(folder, name)))
}

/**
 * Debian's packages start their service, and PostgreSQL's creates a cluster. Our engines run under `.local`, so both are
 * suppressed during the installation; the machine's settings are restored afterwards.
 */
async function withQuietInstall(install: () => Promise<void>): Promise<void> {
  const files = new Map([
    ['/usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n'],
    ['/etc/postgresql-common/createcluster.d/sealpost.conf', 'create_main_cluster = false\n'],
  ])
  const written = [...files].filter(([file]) => !existsSync(file))
  for (const [file, text] of written) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { mode: 0o755 })
  }
  try {
    await install()
  } finally {
    for (const [file] of written) rmSync(file, { force: true })
  }
}

async function aptGet(args: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await promisify(execFile)('apt-get', args, { env, maxBuffer: 64 << 20 }).catch((error: unknown) => {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new Error(`apt-get ${args.join(' ')} failed:\n${printed}`, { cause: error })
  })
}
