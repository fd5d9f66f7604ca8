import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { packAll } from '../release/packages.ts'
import { readCommands } from './readme.ts'
import { type Shell, start, type } from './terminal.ts'

const ROOT = join(import.meta.dirname, '../../..')
const BARS = { commands: 6, files: 0, seconds: 300, packageCommands: 4 }
/** How the machine reaches the package registry: proxies and certificates. */
const NETWORK = /_proxy$|^NODE_EXTRA_CA_CERTS$|^SSL_CERT_/i
/** Printed by `dev` when everything is there, and the value that a newcomer wants to see. */
const READY = 'Sealpost is ready'
const FIRST_VALUE = 'Mara signed'

/** `npm run newcomer`: follows the README from a clone to the first decrypted value, and with the packages. */
async function main(): Promise<number> {
  const { first, second, packages, files } = readCommands(readFileSync(join(ROOT, 'README.md'), 'utf8'))
  const place = mkdtempSync(join(tmpdir(), 'sealpost-newcomer-'))
  const environment = bareEnvironment(join(place, 'home'))
  const shell: Shell = { folder: place, environment }
  const startedAt = performance.now()
  const running = first.at(-1) ?? ''
  for (const command of first.slice(0, -1)) await type(shell, command.replace('git clone …', `git clone -q ${ROOT}`))
  const dev = start(shell, running)
  try {
    console.log(`  ${await dev.waitFor(READY)}`)
    const shown: string[] = []
    for (const command of second) shown.push(await type(shell, command))
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    requireValue(shown.join('\n'))
    const packageSeconds = await tryPackages(place, environment, packages)
    const commands = first.length + second.length
    console.log(
      `newcomer: commands=${commands} files=${files} seconds=${seconds} package_commands=${packages.length} package_seconds=${packageSeconds}`,
    )
    const isMissed = commands > BARS.commands || files > BARS.files || seconds > BARS.seconds
    return isMissed || packages.length > BARS.packageCommands ? 1 : 0
  } finally {
    await dev.stop()
    await type(shell, './run npm run --silent infra -- remove')
    rmSync(place, { recursive: true, force: true })
  }
}

/** Beside the running installation, with packed packages in the place of those of a registry. */
async function tryPackages(
  place: string,
  environment: Shell['environment'],
  commands: readonly string[],
): Promise<number> {
  const release = join(place, 'release')
  mkdirSync(release)
  const packed = await packAll(release)
  const startedAt = performance.now()
  const shell: Shell = { folder: place, environment }
  let printed = ''
  for (const command of commands) {
    const fromTarballs = packed.reduce((text, { name, tarball }) => text.replace(name, tarball), command)
    printed = await type(shell, fromTarballs)
  }
  if (!printed.includes('Portland')) throw new Error(`the packages printed no decrypted value:\n${printed}`)
  return Math.round((performance.now() - startedAt) / 1000)
}

function requireValue(printed: string): void {
  if (!printed.includes(FIRST_VALUE)) throw new Error(`the first value was not printed, but:\n${printed}`)
}

/** As after a login on this machine: no home, no settings, and the Node of the machine instead of that of `./run`. */
function bareEnvironment(home: string): Readonly<Record<string, string>> {
  mkdirSync(home)
  const own = (process.env['PATH'] ?? '').split(delimiter)
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name))
  return {
    ...Object.fromEntries(network.map(([name, value = '']) => [name, value])),
    HOME: home,
    LANG: 'C.UTF-8',
    PATH: own.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    // The registry of the machine may be a mirror, which is named in the home that is left out.
    npm_config_registry: registry,
  }
}

process.exitCode = await main()
