import {
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'

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

/** A workspace is a relative link, which works in the copy too. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (name.startsWith('@')) linkPackages(source, target)
    else linkPackage(source, target)
  }
}

/**
 * By hard links a package has the same place in the copy: what the compiler has stored about the checkout holds there
 * too. A package on another file system is linked as a folder, and the compiler starts anew.
 */
function linkPackage(from: string, to: string): void {
  try {
    linkTree(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    rmSync(to, { recursive: true, force: true })
    symlinkSync(from, to)
  }
}

function linkTree(from: string, to: string): void {
  const found = lstatSync(from)
  if (found.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else if (found.isDirectory()) {
    mkdirSync(to)
    for (const name of readdirSync(from)) linkTree(join(from, name), join(to, name))
  } else linkSync(from, to)
}
