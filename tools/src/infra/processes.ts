import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { type Command, commandLine, isAlive, processBirth, waitUntil } from '@sealpost/testkit/engines'
import { localFolder } from './local-folder.ts'

export interface Daemon {
  readonly pid: number
  readonly url: string
}

const ANSWER_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 20_000
const LOG_LINES_SHOWN = 15
const PORTS_TRIED = 100

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

/** Resolves when the daemon answers; throws with the end of its log when it has ended. */
export async function waitForDaemon(name: string, answers: (url: string) => Promise<boolean>): Promise<string> {
  let url = ''
  await waitUntil(`${name} answers (its log is ${logFile(name)})`, ANSWER_DEADLINE_MS, () => {
    const daemon = findDaemon(name)
    if (daemon === null) throw new Error(`${name} has ended, see ${logFile(name)}:\n${lastLines(logFile(name))}`)
    url = daemon.url
    return answers(url)
  })
  return url
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

/** The first free port from `preferred` on; of two searches at once, each takes every second port. */
export async function firstFreePort(preferred: number, step = 1): Promise<number> {
  for (let port = preferred; port < preferred + PORTS_TRIED; port += step) if (await isFree(port)) return port
  throw new Error(`no free port from ${preferred} to ${preferred + PORTS_TRIED - 1}`)
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function pidFile(name: string): string {
  return join(localFolder('run'), `${name}.pid`)
}

function logFile(name: string): string {
  return join(localFolder('log'), `${name}.log`)
}

function lastLines(file: string): string {
  if (!existsSync(file)) return '(no log)'
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_LINES_SHOWN).join('\n')
}
