import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { build } from 'vite'

const SDK = join(import.meta.dirname, '..')
const REPOSITORY = join(SDK, '../..')

/** The entry points: name in the package and file below `src`. */
const ENTRIES = { index: 'index', 'file-store': 'file-store/index', webhooks: 'webhooks/index' } as const

/** Writes the published package: its modules and their types, without dependencies. */
export async function buildPackage(into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  await bundle(into)
  publishTypes(join(into, 'types'))
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(publishedManifest(), null, 2)}\n`)
  copyFileSync(join(SDK, 'README.md'), join(into, 'README.md'))
  const licence = join(REPOSITORY, 'LICENSE')
  if (existsSync(licence)) copyFileSync(licence, join(into, 'LICENSE'))
}

async function bundle(into: string): Promise<void> {
  await build({
    configFile: false,
    root: SDK,
    logLevel: 'warn',
    build: {
      outDir: into,
      emptyOutDir: false,
      target: 'es2023',
      // Not minified, so that a debugger shows the original code.
      minify: false,
      lib: {
        entry: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(SDK, `src/${file}.ts`)])),
        formats: ['es'],
        fileName: (_, name) => `${name}.js`,
      },
      // Shared chunks, so that `instanceof` works across entry points.
      rolldownOptions: { external: /^node:/, output: { chunkFileNames: 'shared/[name].js' } },
    },
  })
}

/** Publishes only the declarations that the entry points reach, not those of internal files. */
function publishTypes(into: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'sealpost-sdk-types-'))
  try {
    const tsc = join(REPOSITORY, 'node_modules/.bin/tsc')
    for (const settings of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
      const args = ['-p', join(SDK, settings), '--outDir', emitted]
      execFileSync(tsc, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    }
    const waiting: string[] = Object.values(ENTRIES)
    for (const name of waiting) {
      const text = readFileSync(join(emitted, 'client/sdk/src', `${name}.d.ts`), 'utf8')
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

function publishedManifest(): Readonly<Record<string, unknown>> {
  const { name, version, description, license } = readManifest()
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: Object.fromEntries(Object.entries(ENTRIES).map(([entry, file]) => [nameOf(entry), targetOf(entry, file)])),
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

function readManifest(): Readonly<Record<string, unknown>> {
  const manifest: unknown = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null) throw new Error('client/sdk/package.json is not an object')
  return { ...manifest }
}
