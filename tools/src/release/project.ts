import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@sealpost/testkit'
import type { PackedPackage } from './packages.ts'
import { requireTool } from './require-tool.ts'

/** The older of the two compilers that the types are for; the newer one is that of this repository. */
const OLDER_COMPILER = '5.9.3'
const NODE_TYPES = '24.19.2'

/** A project of a user: outside of the repository, with the tarballs and nothing else of ours. */
export async function installProject(folder: string, packages: readonly PackedPackage[]): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const manifest = {
    name: 'quickstart',
    private: true,
    type: 'module',
    dependencies: Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`])),
    devDependencies: { '@types/node': NODE_TYPES, typescript: OLDER_COMPILER },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // Vite has set it to production for this process, where npm leaves out devDependencies.
  await requireTool(folder, 'npm', ['install', ...flags], { NODE_ENV: 'development' })
}

/** Type-checks files of the project under `strict`, the declarations of the packages included. */
export async function compileProject(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = []
  for (const home of [folder, ROOT]) {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      module: 'nodenext',
      target: 'es2024',
      lib: ['ES2024'],
      types: ['node'],
      noEmit: true,
      skipLibCheck: false,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const tsc = join(home, 'node_modules/typescript/bin/tsc')
    const compiled = requireTool(folder, process.execPath, [tsc, '-p', folder])
    await compiled.catch((error: unknown) => problems.push(String(error)))
  }
  return problems
}

/** A module that imports everything of every entry point: its types must compile, its values must load. */
export function importsOfEverything(packages: readonly PackedPackage[]): string {
  const paths = packages.flatMap(({ name, published }) =>
    Object.keys(published.entries)
      .filter((entry) => published.commands?.includes(entry) !== true)
      .map((entry) => (entry === 'index' ? name : `${name}/${entry}`)),
  )
  const imports = paths.map((path, place) => `import * as entry${place} from '${path}'`)
  const counted = paths.map((path, place) => `  '${path}': Object.keys(entry${place}).length,`)
  return `${imports.join('\n')}\n\nconsole.log({\n${counted.join('\n')}\n})\n`
}
