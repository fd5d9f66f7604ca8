import { existsSync } from 'node:fs'
import { createConnection } from 'node:net'
import type { PrivateEngine } from './private-engine.ts'
import { startEngineAtPort } from './run-private-engine.ts'

const PROBE_DEADLINE_MS = 2000

export function startPrivateRedis(): Promise<PrivateEngine> {
  return startEngineAtPort({
    name: 'redis',
    scheme: 'redis',
    answers: answersPing,
    launch: async ({ folder, processes }, port) =>
      processes.launch({ file: redisProgram(), args: redisFlags(port, folder) }),
  })
}

/** Valkey is preferred where both are installed; they take the same flags. */
export function redisProgram(): string {
  const found = ['/usr/bin/valkey-server', '/usr/bin/redis-server'].find((file) => existsSync(file))
  return found ?? 'redis-server'
}

export function redisFlags(port: number, folder: string): string[] {
  const network = ['--bind', '127.0.0.1', '--port', String(port), '--protected-mode', 'yes']
  return [...network, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec']
}

export async function answersPing(url: string): Promise<boolean> {
  // While it still reads its file it answers -LOADING.
  const reply = await askRedis(url, 'PING').catch(() => '')
  return reply.startsWith('+PONG')
}

/** One command in Redis' inline protocol, so that a probe needs no client library. */
export function askRedis(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(`${command}\r\n`))
  socket.setTimeout(PROBE_DEADLINE_MS, () => reject(new Error(`no answer from ${url}`)))
  socket.once('error', reject)
  socket.once('close', () => reject(new Error(`${url} closed the connection`)))
  socket.once('data', (chunk) => resolve(chunk.toString()))
  return promise.finally(() => socket.destroy())
}
