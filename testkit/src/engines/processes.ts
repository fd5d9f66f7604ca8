import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { listProcesses, readProcessStat, readThreadStates } from '../process-stat.ts'
import { waitUntil } from './wait-until.ts'

export interface Command {
  readonly file: string
  readonly args: readonly string[]
  /** Only root can choose; other users run it as themselves. */
  readonly user?: string
  readonly folder?: string
}

/** The processes of one private engine. They die with this process, however it ends. */
export interface Processes {
  /** Starts a daemon in the foreground, its output going to the log file. */
  launch(command: Command): void
  /** True while every launched process runs; an engine that has lost one will never answer. */
  running(): boolean
  /** SIGSTOP to all of them and to their children; resolves when every thread stands still. */
  freeze(): Promise<void>
  /** SIGCONT to all of them and to their children. */
  thaw(): void
  /** SIGKILL to all of them and to their children; resolves when they are gone. */
  kill(): Promise<void>
}

const KILL_DEADLINE_MS = 10_000
const FREEZE_DEADLINE_MS = 10_000
/** Stopped by a signal, or ended. */
const STANDING: ReadonlySet<string> = new Set(['T', 'Z', 'X'])
const SETPRIV = '/usr/bin/setpriv'
const living = new Set<ChildProcess>()
let endsWithUs = false

export function superviseProcesses(logFile: string): Processes {
  killAllOnExit()
  let launched: ChildProcess[] = []
  return {
    launch(command) {
      const log = openSync(logFile, 'a')
      const [file, args] = tiedToUs(command)
      const child = spawn(file, args, { stdio: ['ignore', log, log], cwd: command.folder })
      closeSync(log)
      launched.push(child)
      living.add(child)
      child.once('exit', () => living.delete(child))
      child.once('error', () => living.delete(child))
    },
    running: () =>
      launched.length > 0 && launched.every((child) => child.exitCode === null && child.signalCode === null),
    async freeze() {
      const stopped = signalTrees(launched, 'SIGSTOP')
      // One thread takes the signal and stops the others; until it gets the CPU, they go on.
      await waitUntil('the engine stands still', FREEZE_DEADLINE_MS, () => stopped.every(standsStill))
    },
    thaw: () => void signalTrees(launched, 'SIGCONT'),
    async kill() {
      const victims = launched
      launched = []
      await Promise.all(victims.map(killTree))
    },
  }
}

/** The processes that got the signal. */
function signalTrees(launched: readonly ChildProcess[], signal: 'SIGSTOP' | 'SIGCONT'): readonly number[] {
  return launched.flatMap(({ pid }) => {
    if (pid === undefined) return []
    // The parent first and last: a server that runs would start another child in between.
    const tree = [pid, ...childrenOf(pid), pid]
    for (const each of tree) killQuietly(each, signal)
    return tree
  })
}

function standsStill(pid: number): boolean {
  return readThreadStates(pid).every((state) => STANDING.has(state))
}

/** Runs a command to its end; a failure carries what it printed. */
export async function runCommand(command: Command): Promise<string> {
  const [file, args] = commandLine(command)
  try {
    const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 16 << 20, cwd: command.folder })
    return stdout
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error)
    throw new Error(`${command.file} failed: ${printed}`, { cause: error })
  }
}

/** The program and its arguments, led by what changes the user if that is wanted and possible. */
export function commandLine(command: Command): readonly [string, string[]] {
  return privileged(command, [])
}

/** False for a process that has ended, also while its exit status was not collected yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return readProcessStat(pid)?.state !== 'Z'
}

/** Tells a process from a later one that was given the same number; empty where the system does not say. */
export function processBirth(pid: number): string {
  return readProcessStat(pid)?.birth ?? ''
}

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0
}

async function killTree(child: ChildProcess): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  const children = childrenOf(pid)
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  for (const orphan of children.filter(isAlive)) killQuietly(orphan)
  await waitUntil(`the children of process ${pid} are gone`, KILL_DEADLINE_MS, () => !children.some(isAlive))
}

/**
 * A test runner that is killed runs no exit hook, so the kernel is asked to kill
 * the engine when its parent dies. Changing the user would cancel that, hence one program does both, in the right order.
 */
export function tiedToUs(command: Command, signal: 'KILL' | 'TERM' = 'KILL'): readonly [string, string[]] {
  return existsSync(SETPRIV) ? privileged(command, ['--pdeathsig', signal]) : [command.file, [...command.args]]
}

function privileged(command: Command, flags: readonly string[]): readonly [string, string[]] {
  const { file, args, user } = command
  const asUser = user === undefined || !runsAsRoot() ? [] : [`--reuid=${user}`, `--regid=${user}`, '--init-groups']
  return flags.length + asUser.length === 0 ? [file, [...args]] : [SETPRIV, [...flags, ...asUser, '--', file, ...args]]
}

function killAllOnExit(): void {
  if (endsWithUs) return
  endsWithUs = true
  // Before the hook that removes their folders.
  process.prependListener('exit', () => {
    for (const child of living) child.kill('SIGKILL')
  })
}

function killQuietly(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in between.
  }
}

function childrenOf(pid: number): readonly number[] {
  return listProcesses().filter((candidate) => readProcessStat(candidate)?.parent === pid)
}
