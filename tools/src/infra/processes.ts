import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Command, commandLine, isAlive, listenerAt, processBirth, waitUntil } from '@sealpost/testkit/engines'
import { DaemonFailure, logFile } from './daemon-failure.ts'
import { localFolder } from './local-folder.ts'

export interface Daemon {
  readonly pid: number
  readonly url: string
}

const ANSWER_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 20_000

/** Starts a daemon that outlives this command, with a pid file. */
export function startDaemon(name: string, url: string, command: Command): void {
  const log = openSync(logFile(name), 'a')
  const [file, args] = commandLine(command)
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log], cwd: command.folder })
  closeSync(log)
  // `waitForDaemon` finds no pid file and throws.
  child.on('error', (error) => console.error(`${name} could not be started: ${error.message}`))
  if (child.pid !== undefined) writeFileSync(pidFile(name), `${child.pid} ${processBirth(child.pid)} ${url}\n`)
  child.unref()
}

/** A daemon that this or an earlier run started; null when it has ended. */
export function findDaemon(name: string): Daemon | null {
  if (!existsSync(pidFile(name))) return null
  const [pid = '', birth = '', url = ''] = readFileSync(pidFile(name), 'utf8').trim().split(' ')
  // After a reboot the pid may belong to an unrelated process, which must not be used or stopped.
  const isOurs = isAlive(Number(pid)) && processBirth(Number(pid)) === birth
  return isOurs ? { pid: Number(pid), url } : null
}

/** Resolves when the daemon itself answers, and not another process at its port. */
export async function waitForDaemon(name: string, answers: (url: string) => Promise<boolean>): Promise<string> {
  const { url } = requireDaemon(name)
  const port = Number(new URL(url).port)
  const isReady = async (): Promise<boolean> => {
    // Some daemons try for a while to listen, and a foreign engine would answer in their place.
    if (listenerAt(port, requireDaemon(name).pid) === 'foreign')
      throw new DaemonFailure(name, `cannot listen at port ${port}, where another process listens`)
    return (await answers(url)) && findDaemon(name) !== null
  }
  await waitUntil(`${name} answers at port ${port}`, ANSWER_DEADLINE_MS, isReady).catch((error: unknown) => {
    if (error instanceof DaemonFailure) throw error
    throw new DaemonFailure(name, `is not ready (${String(error)})`, { cause: error })
  })
  return url
}

export function requireDaemon(name: string): Daemon {
  const daemon = findDaemon(name)
  if (daemon === null) throw new DaemonFailure(name, 'has ended')
  return daemon
}

/** The names of the running daemons, sorted. */
export function runningDaemons(): readonly string[] {
  const files = readdirSync(localFolder('run')).filter((file) => file.endsWith('.pid'))
  const names = files.map((file) => basename(file, '.pid')).toSorted()
  return names.filter((name) => findDaemon(name) !== null)
}

export async function stopDaemon(name: string): Promise<void> {
  const daemon = findDaemon(name)
  if (daemon !== null) {
    // On SIGTERM PostgreSQL waits for its clients, on SIGINT it disconnects them. The others end cleanly on both.
    process.kill(daemon.pid, 'SIGINT')
    const ended = waitUntil(`${name} has ended`, STOP_DEADLINE_MS, () => !isAlive(daemon.pid))
    await ended.catch(() => process.kill(daemon.pid, 'SIGKILL'))
  }
  rmSync(pidFile(name), { force: true })
}

function pidFile(name: string): string {
  return join(localFolder('run'), `${name}.pid`)
}
