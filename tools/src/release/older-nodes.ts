import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { localFolder } from '../infra/local-folder.ts'
import { requireTool } from './require-tool.ts'

const PINNED = join(import.meta.dirname, '../../node/older')
const FLAGS = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false']

/**
 * The programs of older releases of Node, which the packages support or still run on. Their versions and hashes are in
 * `tools/node/older`; they are installed once into `.local/nodes`. None on systems for which the registry has none.
 */
export async function installOlderNodes(): Promise<readonly string[]> {
  const home = localFolder('nodes')
  const lock = readFileSync(join(PINNED, 'package-lock.json'), 'utf8')
  const installed = join(home, 'installed-lock.json')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PINNED, file), join(home, file))
    await requireTool(home, 'npm', ['ci', ...FLAGS])
    writeFileSync(installed, lock)
  }
  const modules = join(home, 'node_modules')
  if (!existsSync(modules)) return []
  return readdirSync(modules)
    .map((name) => join(modules, name, 'bin/node'))
    .filter((path) => existsSync(path))
}
