import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cacheFolder } from './cache-folder.ts'

export interface Build {
  /** A folder of the cache, for the results of one kind. */
  readonly name: string
  /** Two builds with the same key have the same result. */
  readonly key: string
  /** A folder of the checkout, which gets a copy: programs find their packages from the place where they are. */
  readonly into: string
  readonly cache?: string
  readonly make: (folder: string) => Promise<void>
}

/** So many results of a name stay, in the cache and in the checkout. */
export const KEPT = 6
const LOOK_EVERY_MS = 50
/** The lock of a process that was killed is older. */
const LOCK_MS = 120_000
const HALF = '.unfinished-'
const HALF_MS = 3_600_000
/** A sandbox runs bundles as another user; `mkdtemp` lets only its own user read. */
const READABLE = 0o755

/**
 * The folder with the result, in the checkout. One process makes it and others wait, also those of other checkouts. A
 * result appears under its name by a rename, so that a name always stands for a whole one.
 */
export async function keptBuild({ name, key, into, cache = cacheFolder(), make }: Build): Promise<string> {
  const here = join(into, key)
  while (!existsSync(here)) {
    const kept = await findOrMake(join(cache, name, key), make)
    await appear(here, async (half) => copyWhole(kept, half))
  }
  return here
}

async function findOrMake(folder: string, make: Build['make']): Promise<string> {
  mkdirSync(dirname(folder), { recursive: true })
  const deadline = Date.now() + 2 * LOCK_MS
  while (!existsSync(folder)) {
    if (takeLock(folder)) await makeLocked(folder, make)
    else if (Date.now() > deadline) throw new Error(`a build took too long: delete ${lockOf(folder)} and try again`)
    else await pause(LOOK_EVERY_MS)
  }
  return folder
}

async function makeLocked(folder: string, make: Build['make']): Promise<void> {
  try {
    // Another process may have finished just before this one took the lock.
    if (!existsSync(folder)) await appear(folder, make)
  } finally {
    rmSync(lockOf(folder), { recursive: true, force: true })
  }
}

/** Locks only save work: two processes that make the same leave one whole result. */
function takeLock(folder: string): boolean {
  const lock = lockOf(folder)
  const taken = statSync(lock, { throwIfNoEntry: false })
  if (taken !== undefined && Date.now() - taken.mtimeMs > LOCK_MS) rmSync(lock, { recursive: true, force: true })
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

async function appear(folder: string, fill: (half: string) => Promise<void>): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const half = mkdtempSync(`${folder}${HALF}`)
  try {
    await fill(half)
    chmodSync(half, READABLE)
    renameSync(half, folder)
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
  forgetOldest(dirname(folder))
}

/** Fails if the result is forgotten meanwhile; the copy would lack files. */
function copyWhole(kept: string, half: string): void {
  const now = new Date()
  utimesSync(kept, now, now)
  const { ino } = statSync(kept)
  cpSync(kept, half, { recursive: true })
  if (statSync(kept).ino !== ino) throw new Error(`${kept} was replaced while it was copied`)
}

function forgetOldest(parent: string): void {
  const names = readdirSync(parent)
  const newestFirst = names
    .filter((name) => /^[0-9a-f]+$/.test(name))
    .toSorted((a, b) => age(parent, a) - age(parent, b))
  for (const name of newestFirst.slice(KEPT)) forget(join(parent, name))
  for (const name of names) if (name.includes(HALF) && age(parent, name) > HALF_MS) remove(join(parent, name))
}

/** Another name first: under its own, it would be there in part. */
function forget(folder: string): void {
  const old = mkdtempSync(`${folder}${HALF}`)
  try {
    renameSync(folder, old)
  } catch {
    // Another process forgets it.
  }
  remove(old)
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

function age(parent: string, name: string): number {
  const found = statSync(join(parent, name), { throwIfNoEntry: false })
  return Date.now() - (found?.mtimeMs ?? Date.now())
}
