import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { asRecord, type Check, readJson } from './workspace.ts'

const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts: they may be embedded and shipped, but not sold alone.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Each with the reason why its terms do not affect the product. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'axe-core': 'MPL-2.0: tests run it in pages of the web apps; it is neither changed nor shipped',
  lightningcss: 'MPL-2.0: Vite calls it to build style sheets; it is neither changed nor shipped',
  'lightningcss-linux-x64-gnu': 'MPL-2.0: the binary of lightningcss',
  'lightningcss-linux-arm64-gnu': 'MPL-2.0: the binary of lightningcss',
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall']

/** Every installed package may be shipped with code under Apache-2.0. */
export const checkLicences: Check = ({ root }) =>
  installedPackages(root).flatMap(({ name, licence }) => {
    if (name in EXCEPTIONS || isPermissive(licence)) return []
    return [`${name} is under "${licence}", which is not on the list of permissive licences: use another package`]
  })

/** No package runs a script at installation. */
export const checkInstallScripts: Check = ({ root }) =>
  installedPackages(root).flatMap(({ name, scripts }) =>
    scripts.length === 0 ? [] : [`${name} has a script that runs at installation (${scripts.join(', ')})`],
  )

/** Understands `MIT`, `(MIT AND Zlib)` and `(MIT OR GPL-3.0)`; one of the alternatives must be permissive, and all of a conjunction. */
export function isPermissive(licence: string): boolean {
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((option) => option.split(' AND ').every((name) => PERMISSIVE.has(name.trim())))
}

interface Installed {
  readonly name: string
  readonly licence: string
  readonly scripts: readonly string[]
}

/** The lock file lists every package; those for other platforms are not installed. */
function installedPackages(root: string): readonly Installed[] {
  return ['.', 'tools/node'].flatMap((home) => {
    const locked = asRecord(readJson(join(root, home, 'package-lock.json'))['packages'])
    return Object.keys(locked)
      .filter((path) => path.includes('node_modules/') && asRecord(locked[path])['link'] !== true)
      .map((path) => join(root, home, path, 'package.json'))
      .filter((file) => existsSync(file))
      .map((file) => readInstalled(readJson(file)))
  })
}

function readInstalled(manifest: Readonly<Record<string, unknown>>): Installed {
  const licence = manifest['license'] ?? 'no licence'
  const scripts = asRecord(manifest['scripts'])
  return {
    name: String(manifest['name']),
    licence: typeof licence === 'string' ? licence : JSON.stringify(licence),
    scripts: INSTALL_SCRIPTS.filter((script) => script in scripts),
  }
}
