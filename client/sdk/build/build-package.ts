import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const REPOSITORY = join(import.meta.dirname, '../../..')

/** A package that companies and authors install. */
export interface Published {
  /** Below the root of the repository: `client/sdk`. */
  readonly folder: string
  /** Entry points: name in the package and file below `src`. */
  readonly entries: Readonly<Record<string, string>>
  /** Settings of the compiler for the types, each for some of the entries. */
  readonly settings: readonly string[]
}

/** Writes the published package: its modules and their types, without dependencies. */
export async function buildPackage(published: Published, into: string): Promise<void> {
  const root = join(REPOSITORY, published.folder)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  await bundle(published, root, into)
  publishTypes(published, root, join(into, 'types'))
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(publishedManifest(published, root), null, 2)}\n`)
  copyFileSync(join(root, 'README.md'), join(into, 'README.md'))
  const licence = join(REPOSITORY, 'LICENSE')
  if (existsSync(licence)) copyFileSync(licence, join(into, 'LICENSE'))
}

/** What `npm pack` takes, with the sizes of its modules. */
export function describePackage(into: string): readonly string[] {
  const modules = readdirSync(into, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const sizes = modules.toSorted().map((name) => {
    const bytes = readFileSync(join(into, name))
    return `${name}: ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped`
  })
  return [...sizes, `the package is in ${into}; npm pack ${into} makes its tarball`]
}

async function bundle({ entries }: Published, root: string, into: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      outDir: into,
      emptyOutDir: false,
      target: 'es2023',
      // Not minified, so that a debugger shows the original code.
      minify: false,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, `src/${file}.ts`)])),
        formats: ['es'],
        fileName: (_, name) => `${name}.js`,
      },
      // Shared chunks, so that `instanceof` works across entry points.
      rolldownOptions: { external: /^node:/, output: { chunkFileNames: 'shared/[name].js' } },
    },
  })
}

/** Publishes only the declarations that the entry points reach, not those of internal files. */
function publishTypes({ folder, entries, settings }: Published, root: string, into: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'sealpost-types-'))
  try {
    const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
    for (const file of settings) {
      const args = ['-p', join(root, file), '--outDir', emitted]
      execFileSync(tsc, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    }
    const waiting: string[] = Object.values(entries)
    for (const name of waiting) {
      const text = readFileSync(join(emitted, folder, 'src', `${name}.d.ts`), 'utf8')
      for (const imported of importsOf(name, text)) if (!waiting.includes(imported)) waiting.push(imported)
      const file = join(into, `${name}.d.ts`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text.replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** Files below `src`, without extension. */
function importsOf(name: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(([, specifier = '']) => {
    const own = /^(\.{1,2}\/[\w./-]+)\.ts$/.exec(specifier)?.[1]
    const found = own === undefined ? '..' : normalize(join(dirname(name), own))
    if (!found.startsWith('..')) return found
    throw new Error(`src/${name}.ts exposes ${specifier} in its public types, which users do not have`)
  })
}

function publishedManifest({ entries }: Published, root: string): Readonly<Record<string, unknown>> {
  const { name, version, description, license } = readManifest(root)
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: Object.fromEntries(Object.entries(entries).map(([entry, file]) => [nameOf(entry), targetOf(entry, file)])),
    types: './types/index.d.ts',
    publishConfig: { access: 'public' },
  }
}

function nameOf(entry: string): string {
  return entry === 'index' ? '.' : `./${entry}`
}

function targetOf(entry: string, file: string): Readonly<Record<string, string>> {
  return { types: `./types/${file}.d.ts`, default: `./${entry}.js` }
}

function readManifest(root: string): Readonly<Record<string, unknown>> {
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null) throw new Error(`${root}/package.json is not an object`)
  return { ...manifest }
}
