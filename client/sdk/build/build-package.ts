import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { thirdPartyNotices } from './notices.ts'
import { publishTypes } from './publish-types.ts'
import { type Published, REPOSITORY } from './published.ts'

/** The script `build` of a published package. */
export async function buildFromCommandLine(published: Published): Promise<void> {
  const [folder] = process.argv.slice(2)
  const into = folder === undefined ? join(REPOSITORY, published.folder, 'dist') : resolve(folder)
  await buildPackage(published, into)
  for (const line of describePackage(into)) process.stdout.write(`${line}\n`)
  process.stdout.write(`the package is in ${into}; npm pack ${into} makes its tarball\n`)
}

/** Writes the published package: its modules with source maps and their types, without dependencies. */
export async function buildPackage(published: Published, into: string): Promise<void> {
  const root = join(REPOSITORY, published.folder)
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const notices = thirdPartyNotices(await bundle(published, root, into))
  if (notices !== null) writeFileSync(join(into, 'THIRD-PARTY.txt'), notices)
  if (published.settings.length > 0) publishTypes(published, join(into, 'types'))
  writeFileSync(join(into, 'package.json'), `${JSON.stringify(publishedManifest(published, root), null, 2)}\n`)
  copyFileSync(join(root, published.readme ?? 'README.md'), join(into, 'README.md'))
  copyFileSync(join(REPOSITORY, 'LICENSE'), join(into, 'LICENSE'))
}

/** The modules of the package with their sizes. */
export function describePackage(into: string): readonly string[] {
  const modules = readdirSync(into, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  return modules.toSorted().map((name) => {
    const bytes = readFileSync(join(into, name))
    return `${name}: ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped`
  })
}

/** Answers the files of all modules that the bundle contains. */
async function bundle({ entries, commands }: Published, root: string, into: string): Promise<readonly string[]> {
  const isForNode = commands !== undefined
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // A command also contains what it takes from the registry: its start reads one file instead of hundreds.
    ...(isForNode ? { ssr: { noExternal: true } } : {}),
    build: {
      outDir: into,
      emptyOutDir: false,
      target: 'es2023',
      ssr: isForNode,
      sourcemap: true,
      // Not minified, so that a debugger shows the original code.
      minify: false,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, `src/${file}.ts`)])),
        formats: ['es'],
        fileName: (_, name) => `${name}.js`,
      },
      rolldownOptions: {
        external: /^node:/,
        // A module whose exports are not used is left out: server packages bring more than a command needs.
        treeshake: { moduleSideEffects: false },
        // Shared chunks, so that `instanceof` works across entry points.
        output: { chunkFileNames: 'shared/[name].js' },
      },
    },
  })
  return outputsOf(built).flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []))
}

function outputsOf(built: Awaited<ReturnType<typeof build>>): readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[] {
  if (Array.isArray(built)) return built.flatMap(({ output }) => output)
  return 'output' in built ? built.output : []
}

function publishedManifest(published: Published, root: string): Readonly<Record<string, unknown>> {
  const { name, version, description, license } = readManifest(root)
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    ...pointsOfEntry(published),
    publishConfig: { access: 'public' },
  }
}

function pointsOfEntry({ entries, commands = [] }: Published): Readonly<Record<string, unknown>> {
  const bin = Object.fromEntries(commands.map((command) => [command, `./${command}.js`]))
  const modules = Object.entries(entries).filter(([entry]) => !commands.includes(entry))
  return {
    ...(commands.length === 0 ? {} : { bin }),
    exports: {
      ...Object.fromEntries(modules.map(([entry, file]) => [nameOf(entry), targetOf(entry, file)])),
      './package.json': './package.json',
    },
    ...('index' in entries ? { types: './types/index.d.ts' } : {}),
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
