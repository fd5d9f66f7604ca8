import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describePackage } from '@sealpost/sdk/publish'
import { localFolder } from '../infra/local-folder.ts'
import { apiFile, apiProblems, writeApi } from './api-files.ts'
import { measureParts } from './browser-size.ts'
import { lintPackage } from './lint-package.ts'
import { findNodes } from './nodes.ts'
import { installOlderNodes } from './older-nodes.ts'
import { packAll, type PackedPackage } from './packages.ts'
import { compileProject, importsOfEverything, installProject } from './project.ts'
import { copyProgram, PROGRAM, runQuickstart } from './quickstart.ts'

const USAGE = `npm run pack                                    packs the packages and prints the line that installs them
npm run release -- --dry-run [--node PROGRAM]…   packs the packages and tries them as their users do
npm run release -- --api                        writes the public API of the packages to docs/packages

The tarballs are in .local/release; npm publish TARBALL publishes one that the dry run has accepted.`

interface Step {
  readonly name: string
  /** Answers what is wrong. */
  readonly run: () => Promise<readonly string[]>
}

async function main(args: readonly string[]): Promise<number> {
  const nodes = args.flatMap((arg, place) => (arg === '--node' ? [args[place + 1] ?? ''] : []))
  if (!['--dry-run', '--api', '--pack'].some((task) => args.includes(task))) {
    console.error(USAGE)
    return 2
  }
  const began = performance.now()
  const into = localFolder('release')
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into)
  const packages = await packAll(into)
  if (args.includes('--pack')) {
    console.log(`packed in ${secondsSince(began)}; in a project of your own:\n`)
    console.log(`npm install ${packages.map(({ tarball }) => tarball).join(' ')}`)
    return 0
  }
  for (const packed of packages) describe(packed)
  console.log(`ok    packed into ${into} (${secondsSince(began)})`)
  if (args.includes('--api')) {
    for (const packed of packages) writeApi(packed)
    console.log(`written: ${packages.map(apiFile).join(', ')}`)
    return 0
  }
  const found = findNodes([...nodes, ...(await installOlderNodes())])
  const failed = await runSteps(stepsFor(packages, found))
  console.log(`release: ${failed === 0 ? 'passed' : `${failed} steps failed`} in ${secondsSince(began)}`)
  return failed === 0 ? 0 : 1
}

function stepsFor(packages: readonly PackedPackage[], nodes: ReturnType<typeof findNodes>): readonly Step[] {
  const project = mkdtempSync(join(tmpdir(), 'sealpost-quickstart-'))
  process.once('exit', () => rmSync(project, { recursive: true, force: true }))
  const versions = nodes.map(({ version }) => version).join(', ')
  return [
    {
      name: 'publint and types of the tarballs',
      run: async () => (await Promise.all(packages.map(lintPackage))).flat(),
    },
    { name: 'public API is the committed one', run: () => Promise.resolve(packages.flatMap(apiProblems)) },
    {
      name: 'installed into an empty project',
      async run() {
        await installProject(project, packages)
        copyProgram(project)
        for (const name of ['everything.ts', 'everything.js'])
          writeFileSync(join(project, name), importsOfEverything(packages))
        return []
      },
    },
    {
      name: 'compiles under TypeScript 5.9 and 7.0, strict',
      run: () => compileProject(project, [PROGRAM, 'everything.ts']),
    },
    { name: 'size in a browser', run: () => reportSizes(project) },
    { name: 'supported versions of Node are at hand', run: () => Promise.resolve(missingVersions(nodes)) },
    { name: `quickstart on Node ${versions}`, run: () => runQuickstart(project, nodes) },
  ]
}

const SUPPORTED = ['22', '24']

/** Elsewhere than on Linux, the registry has no program of older versions: those on the path are tried. */
function missingVersions(nodes: ReturnType<typeof findNodes>): readonly string[] {
  if (process.platform !== 'linux') return []
  return SUPPORTED.filter((major) => !nodes.some(({ version }) => version.startsWith(`${major}.`))).map(
    (major) => `no Node ${major} was found and none could be installed: is the registry reachable? name one by --node`,
  )
}

async function runSteps(steps: readonly Step[]): Promise<number> {
  let failed = 0
  for (const { name, run } of steps) {
    const began = performance.now()
    const problems = await run().catch((error: unknown) => [error instanceof Error ? error.message : String(error)])
    console.log(`${problems.length === 0 ? 'ok   ' : 'FAIL '} ${name} (${secondsSince(began)})`)
    for (const problem of problems) console.log(problem.replaceAll(/^/gm, '      '))
    if (problems.length > 0) failed += 1
  }
  return failed
}

async function reportSizes(project: string): Promise<readonly string[]> {
  const parts = await measureParts(project)
  for (const { imports, from, kiB, mostKiB } of parts)
    console.log(`      ${kiB.toFixed(1).padStart(6)} KiB of ${mostKiB}: { ${imports} } of ${from}`)
  return parts
    .filter(({ kiB, mostKiB }) => kiB > mostKiB)
    .map(({ imports, from, mostKiB }) => `{ ${imports} } of ${from} is larger than ${mostKiB} KiB`)
}

function describe({ name, folder }: PackedPackage): void {
  console.log(name)
  for (const line of describePackage(folder)) if (!line.startsWith('shared/')) console.log(`      ${line}`)
}

function secondsSince(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}

process.exitCode = await main(process.argv.slice(2))
