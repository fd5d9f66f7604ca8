import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

const LEFT_OUT = new Set(['.git', '.local', '.tsbuild', '.vitest', 'dist', 'node_modules'])
const OWN_PACKAGES = '@sealpost'

/**
 * Copies the sources. Installed packages are links to those of the original, but our own are links as npm makes them,
 * relative to `node_modules`: an import by package name finds the copy.
 */
export function copyTree(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  for (const name of readdirSync(from)) {
    if (LEFT_OUT.has(name)) continue
    cpSync(join(from, name), join(to, name), { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
  }
  linkPackages(join(from, 'node_modules'), join(to, 'node_modules'))
  return to
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue
    if (name === OWN_PACKAGES) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(from, name), join(to, name))
  }
}
