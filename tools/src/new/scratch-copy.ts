import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, sep } from 'node:path'

const LEFT_OUT: readonly string[] = ['node_modules', '.git', '.local', '.vitest']

/** A copy of the repository in a temporary folder, with the same dependencies and its own workspace packages. */
export function makeScratchCopy(root: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-new-'))
  cpSync(root, folder, {
    recursive: true,
    filter: (source) =>
      !relative(root, source)
        .split(sep)
        .some((name) => LEFT_OUT.includes(name)),
  })
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** A workspace is a relative link, which works in the copy too; all other packages are linked. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (basename(source).startsWith('@')) linkPackages(source, join(to, name))
    else symlinkSync(lstatSync(source).isSymbolicLink() ? readlinkSync(source) : source, join(to, name))
  }
}
