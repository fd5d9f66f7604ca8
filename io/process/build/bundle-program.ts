import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

/** An app as one folder of JavaScript. */
export interface Program {
  readonly name: string
  /** Source files by their names in the folder, without extension. A thread or a child process is started by its file. */
  readonly entries: Readonly<Record<string, string>>
  /** Files that it reads from its own folder. */
  readonly assets: readonly string[]
  /** Packages that stay in node_modules, because they are native or read files of their own. */
  readonly external: readonly string[]
  /** Flags of Node that it is started with. */
  readonly flags?: readonly string[]
}

/**
 * Writes the program into a folder of its name. A region has 2,800 modules: to read them is four fifths of the CPU time
 * of a start. Names stay as they are, so that a stack trace shows the functions of the source. There are no source maps:
 * Node would parse all of them in the event loop when it prints the first error.
 */
export async function bundleProgram({ name, entries, assets, external }: Program, into: string): Promise<void> {
  const folder = join(into, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: { ...entries },
    platform: 'node',
    external: [/^node:/, ...external],
    // A dependency of a dependency uses eval; it is run as it is published.
    checks: { eval: false },
  })
  // All in one folder: a file finds the others by its own address, as in the source.
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' })
  await bundle.close()
  // Two files of one name would be one in the folder.
  for (const asset of assets) copyFileSync(asset, join(folder, basename(asset)), constants.COPYFILE_EXCL)
}
