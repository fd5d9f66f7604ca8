import { readdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The process that holds a store. */
interface Holder {
  readonly pid: number
  readonly host: string
  /** Boot id and PID namespace; null where the system does not report them. */
  readonly world: string | null
  /** Start time of the process in the system's units; null where the system does not report it. */
  readonly start: string | null
}

export interface HeldLock {
  /** False once another process has taken this one for dead and removed its file. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

type Lock = { readonly lock: HeldLock } | { readonly heldBy: string }

const PREFIX = 'held-by-'
/** Of a file that is not written completely yet. */
const DRAFT = 'new-'
const TOUCH_EVERY_MS = 5000
const SILENT_AFTER_MS = 60_000
const WATCH_MS = 3 * TOUCH_EVERY_MS

type Wait = (ms: number) => Promise<unknown>

/**
 * Each holder has a file with a unique name. A process writes its file first and then scans for others: of two concurrent
 * processes, the later scan sees the other's file, so never both hold the store (both may be refused and try again). Every
 * process removes the files of dead ones.
 *
 * Where the system can report it, a process is checked directly. A holder in another container or on another machine
 * counts as alive for a minute after it last touched its file; if that time is in the future, because a clock was moved,
 * the file is watched for a while instead. A holder that was wrongly taken for dead, because its machine slept, finds its
 * file removed and stops writing.
 */
export async function takeLock(folder: string, wait: Wait = pause): Promise<Lock> {
  const name = `${PREFIX}${crypto.randomUUID()}`
  const own = await ownIdentity()
  const path = join(folder, name)
  await writeWhole(join(folder, `${DRAFT}${name}`), path, JSON.stringify(own))
  try {
    const other = await findOther(folder, name, own, wait)
    if (other === null) return { lock: keepAlive(path) }
    await rm(path, { force: true })
    return { heldBy: describe(other, own) }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Leaves nothing on a full disk, where a supervisor starts the process again and again. */
async function writeWhole(draft: string, path: string, text: string): Promise<void> {
  try {
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function findOther(folder: string, ownName: string, own: Holder, wait: Wait): Promise<Holder | null> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${DRAFT}${PREFIX}`)) await removeOldDraft(join(folder, name))
    if (!name.startsWith(PREFIX) || name === ownName) continue
    const path = join(folder, name)
    const holder = await readHolder(path)
    if (holder === null) continue
    if (await isAlive(holder, own, path, wait)) return holder
    await rm(path, { force: true })
  }
  return null
}

/** A file that a power cut left empty, or that cannot be opened now: treated like a holder on another machine. */
const UNREADABLE: Holder = { pid: 0, host: '', world: null, start: null }

/** Null when the file does not exist any more. */
async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => (isGone(error) ? null : ''))
  if (text === null) return null
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- takeLock writes it completely before the rename
    return JSON.parse(text) as Holder
  } catch {
    return UNREADABLE
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function isAlive(holder: Holder, own: Holder, path: string, wait: Wait): Promise<boolean> {
  if (holder.world !== null && holder.world === own.world) return (await startOf(holder.pid)) === holder.start
  const isSeen = holder.world === null && holder.host === own.host
  if (isSeen && !isRunning(holder.pid)) return false
  const touchedMs = await touchedAt(path)
  if (touchedMs === null) return false
  const silentMs = now() - touchedMs
  if (silentMs > -SILENT_AFTER_MS) return silentMs < SILENT_AFTER_MS
  await wait(WATCH_MS)
  const againMs = await touchedAt(path)
  return againMs !== null && againMs !== touchedMs
}

/** Of a process that was killed while it wrote. */
async function removeOldDraft(path: string): Promise<void> {
  const writtenMs = await touchedAt(path)
  if (writtenMs !== null && now() - writtenMs > SILENT_AFTER_MS) await rm(path, { force: true })
}

async function touchedAt(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null)
  return found?.mtimeMs ?? null
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function keepAlive(path: string): HeldLock {
  const timer = setInterval(() => {
    const seconds = now() / 1000
    // A missing file is detected before each write.
    void utimes(path, seconds, seconds).catch(() => {})
  }, TOUCH_EVERY_MS)
  timer.unref()
  return {
    isHeld: async () => (await touchedAt(path)) !== null,
    async release() {
      clearInterval(timer)
      await rm(path, { force: true })
    },
  }
}

async function ownIdentity(): Promise<Holder> {
  const { pid } = process
  const start = await startOf(pid)
  return { pid, host: hostname(), world: start === null ? null : await readWorld(), start }
}

/** Linux reports the boot id and the PID namespace. */
async function readWorld(): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** PIDs are reused; together with the start time they are unique. Null when there is no such process. */
async function startOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The program name is in parentheses and may contain anything; the start time is the 20th member after it.
  const members = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  // A zombie does not write any more.
  return members === undefined || members[0] === 'Z' ? null : (members[19] ?? null)
}

function describe(holder: Holder, own: Holder): string {
  if (holder === UNREADABLE) return 'another process, which was active within the last minute'
  const { pid, host, world } = holder
  const isHere = world === null ? host === own.host : world === own.world
  if (isHere && pid === own.pid) return 'this process'
  return isHere ? `process ${pid}` : `process ${pid} of ${host}, which was active within the last minute`
}

function now(): number {
  // oxlint-disable-next-line sealpost/time-and-chance -- compared with timestamps of the file system
  return Date.now()
}
