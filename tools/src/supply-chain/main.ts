import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Type from 'typebox'
import Value from 'typebox/value'
import { CANNOT_RUN } from '../ci/step.ts'
import { findLockProblems, installedOf, type Lock, LockFile } from './lock.ts'
import { findSbomProblems, Sbom } from './sbom.ts'

const root = join(import.meta.dirname, '../../..')
const SBOM_FILE = join(root, '.local/sbom.cdx.json')
const LOCKS = ['package-lock.json', 'tools/node/package-lock.json', 'tools/node/older/package-lock.json']

/**
 * `npm run supply-chain`: what is installed is what was locked, and a bill of materials says what it is. `--advisories`
 * asks the registry for known weaknesses instead. Licences and install scripts of the installed packages: `npm run
 * boundaries`.
 */
async function main(): Promise<void> {
  const isAboutAdvisories = process.argv.includes('--advisories')
  const problems = await (isAboutAdvisories ? findAdvisories() : findDifferences())
  if (problems === null) {
    process.exitCode = CANNOT_RUN
    return
  }
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}

async function findDifferences(): Promise<readonly string[]> {
  const locks = LOCKS.map((path) => readLock(path))
  const [lock = {}] = locks
  const problems = locks.flatMap(findLockProblems)
  console.log(
    `lock: ${locks.flatMap(installedOf).length} packages with a hash and a version, ${problems.length} problems`,
  )
  const sbom = await makeSbom()
  problems.push(...findSbomProblems(sbom, lock))
  console.log(`bill of materials: ${sbom.components.length} components in .local/sbom.cdx.json`)
  return problems
}

function readLock(path: string): Lock {
  return Value.Parse(LockFile, JSON.parse(readFileSync(join(root, path), 'utf8'))).packages
}

async function makeSbom(): Promise<Sbom> {
  const text = await npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
  mkdirSync(dirname(SBOM_FILE), { recursive: true })
  writeFileSync(SBOM_FILE, text)
  return Value.Parse(Sbom, JSON.parse(text))
}

const Audit = Type.Object({
  /** Present when the registry did not answer. */
  message: Type.Optional(Type.String()),
  vulnerabilities: Type.Optional(
    Type.Record(Type.String(), Type.Object({ severity: Type.String(), range: Type.String() })),
  ),
})

/** Null for a registry that keeps no advisories: a mirror need not have them. */
async function findAdvisories(): Promise<readonly string[] | null> {
  const audit = Value.Parse(Audit, JSON.parse(await npm('audit', '--audit=true', '--json')))
  if (audit.vulnerabilities === undefined) {
    console.log(`not run: the registry does not answer with advisories: ${audit.message ?? 'no reason given'}`)
    return null
  }
  const found = Object.entries(audit.vulnerabilities)
  console.log(`advisories: ${found.length} packages with known weaknesses`)
  return found.map(([name, { severity, range }]) => `${name} ${range} has a known weakness (${severity}): update it`)
}

/** The output, whatever the exit code: `npm audit` exits 1 when it found something. */
async function npm(...args: readonly string[]): Promise<string> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const ended = promisify(execFile)('npm', args, options).catch((error: unknown) => {
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return { stdout: String(error.stdout) }
    throw error
  })
  return (await ended).stdout
}

await main()
