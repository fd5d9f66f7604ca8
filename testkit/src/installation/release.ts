import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../engines/processes.ts'
import { ROOT } from './app-process.ts'

/** The code of another release, ready to run. */
export interface Release {
  readonly ref: string
  readonly commit: string
  /** The folder of its checkout. */
  readonly root: string
  remove(): void
}

const OWN_SCOPE = '@sealpost'
const LOCK = 'package-lock.json'

/**
 * The files of a git ref in a folder of their own, without a trace in the repository. Packages are those of this checkout if
 * both releases want the same ones; otherwise they are installed.
 */
export async function checkOutRelease(ref: string): Promise<Release> {
  const commit = (await git('rev-parse', '--verify', `${ref}^{commit}`)).trim()
  const root = mkdtempSync(join(tmpdir(), 'sealpost-release-'))
  const remove = (): void => rmSync(root, { recursive: true, force: true })
  process.once('exit', remove)
  const archive = join(root, 'files.tar')
  await git('archive', '--format=tar', `--output=${archive}`, commit)
  await runCommand({ file: 'tar', args: ['-xf', archive, '-C', root] })
  rmSync(archive)
  if (readFileSync(join(root, LOCK), 'utf8') === readFileSync(join(ROOT, LOCK), 'utf8')) linkPackages(root)
  else await runCommand({ file: 'npm', args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder: root })
  return { ref, commit, root, remove }
}

/** Other packages are shared; those of the repository lead to the folders of this release, by the same relative paths. */
function linkPackages(root: string): void {
  const [ours, theirs] = [join(ROOT, 'node_modules'), join(root, 'node_modules')]
  mkdirSync(join(theirs, OWN_SCOPE), { recursive: true })
  for (const name of readdirSync(ours)) if (name !== OWN_SCOPE) symlinkSync(join(ours, name), join(theirs, name))
  for (const name of readdirSync(join(ours, OWN_SCOPE)))
    symlinkSync(readlinkSync(join(ours, OWN_SCOPE, name)), join(theirs, OWN_SCOPE, name))
}

function git(...args: readonly string[]): Promise<string> {
  return runCommand({ file: 'git', args, folder: ROOT })
}
