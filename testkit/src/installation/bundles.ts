import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forwarderProgram } from '@sealpost/forwarder/build/program'
import { frontDoorProgram } from '@sealpost/front-door/build/program'
import { regionProgram } from '@sealpost/region/build/program'
import { commandProgram, pluginKitProgram, sdkProgram } from './client-programs.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SOURCES = ['apps', 'client', 'io', 'pure', 'package-lock.json', 'testkit/src/installation/client-programs.ts']
const FOLDER = join(ROOT, '.local/bundles')
const PROGRAMS = [frontDoorProgram, regionProgram, forwarderProgram, sdkProgram, pluginKitProgram, commandProgram]
const KEPT = 4
const LOOK_EVERY_MS = 50
const DEADLINE_MS = 120_000

/**
 * The folder with the programs of this checkout, bundled as `npm run build` does it. They are bundled again when a source
 * has changed, by one process; others wait for it. A process looks once: it runs the sources that it was started with.
 */
export function bundledPrograms(): Promise<string> {
  bundled ??= findOrBundle()
  return bundled
}

/** With which an operator starts the program of this name. */
export function programFlags(name: string): readonly string[] {
  return PROGRAMS.find((program) => program.name === name)?.flags ?? []
}

let bundled: Promise<string> | null = null

async function findOrBundle(): Promise<string> {
  const folder = join(FOLDER, fingerprint())
  const deadline = Date.now() + DEADLINE_MS
  while (!exists(folder)) {
    if (takeLock(folder)) await bundleInto(folder)
    else if (Date.now() > deadline) throw new Error(`bundling took too long: delete ${FOLDER} and try again`)
    else await pause(LOOK_EVERY_MS)
  }
  return folder
}

async function bundleInto(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`
  try {
    // Another process may have finished just before this one took the lock.
    if (exists(folder)) return
    // Most processes find a bundle and need no bundler.
    const { bundleProgram } = await import('@sealpost/process/build')
    for (const program of PROGRAMS) await bundleProgram(program, unfinished)
    renameSync(unfinished, folder)
    forgetOldest()
  } finally {
    rmSync(lockOf(folder), { recursive: true, force: true })
  }
}

function takeLock(folder: string): boolean {
  mkdirSync(FOLDER, { recursive: true })
  const lock = lockOf(folder)
  // Of a process that was killed.
  if (exists(lock) && Date.now() - statSync(lock).mtimeMs > DEADLINE_MS) rmSync(lock, { recursive: true, force: true })
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

function lockOf(folder: string): string {
  return `${folder}.lock`
}

function forgetOldest(): void {
  const folders = readdirSync(FOLDER).filter((name) => /^[0-9a-f]+$/.test(name))
  const newestFirst = folders.toSorted((a, b) => statSync(join(FOLDER, b)).mtimeMs - statSync(join(FOLDER, a)).mtimeMs)
  for (const name of newestFirst.slice(KEPT)) rmSync(join(FOLDER, name), { recursive: true, force: true })
}

/** Names, sizes and times of all sources. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const source of SOURCES) addTo(hash, join(ROOT, source))
  return hash.digest('hex').slice(0, 16)
}

function addTo(hash: ReturnType<typeof createHash>, path: string): void {
  const found = statSync(path)
  if (!found.isDirectory()) {
    hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(path).toSorted())
    if (name !== 'node_modules' && name !== 'dist' && !name.endsWith('.test.ts')) addTo(hash, join(path, name))
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}
