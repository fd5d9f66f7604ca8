import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { answersPing, type Command, redisFlags, redisProgram, reservePort } from '@sealpost/testkit/engines'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { logFile } from './daemon-failure.ts'
import { localFolder } from './local-folder.ts'
import { startAtPort } from './ports.ts'
import { findDaemon, stopDaemon } from './processes.ts'

const daemon = 'daemon-of-a-test'
let preferredPort: number
let strangers: Server[] = []

beforeAll(async () => {
  const { port, release } = await reservePort()
  release()
  preferredPort = port
})
afterEach(async () => {
  await stopDaemon(daemon)
  for (const stranger of strangers) stranger.close()
  strangers = []
  for (const left of [localFolder(daemon), logFile(daemon)]) rmSync(left, { recursive: true, force: true })
})

test('a daemon whose port is taken before it listens gets the next one, also when the other answers like it', async () => {
  const url = await start(async (port) => {
    if (strangers.length === 0) strangers = [await answerPingAt(port)]
    return redisAt(port)
  })
  expect(strangers).toHaveLength(1)
  expect(Number(new URL(url).port)).toBeGreaterThan(preferredPort)
  expect(findDaemon(daemon)?.url).toBe(url)
})

test('after a few taken ports, the failure names the daemon and the port', async () => {
  const started = start(async (port) => {
    strangers.push(await answerPingAt(port))
    return redisAt(port)
  })
  await expect(started).rejects.toThrow(/^daemon-of-a-test (cannot listen at port \d+|has ended)/)
  expect(strangers).toHaveLength(3)
  expect(findDaemon(daemon)).toBeNull()
})

test('the failure of a daemon has the end of its log and what to do', async () => {
  const printed = start(() => ({ file: 'sh', args: ['-c', 'echo it is broken; exit 1'] })).catch(String)
  expect(await printed).toMatch(
    /daemon-of-a-test has ended\. Its log .*daemon-of-a-test\.log ends with:\n +it is broken/,
  )
  expect(await printed).toContain('./run npm run infra -- down')
})

function start(commandAt: (port: number) => Command | Promise<Command>): Promise<string> {
  return startAtPort({
    daemon,
    preferredPort,
    urlAt: (port) => `redis://127.0.0.1:${port}`,
    commandAt,
    answers: answersPing,
  })
}

function redisAt(port: number): Command {
  return { file: redisProgram(), args: redisFlags(port, localFolder(daemon)) }
}

async function answerPingAt(port: number): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => {}).end('+PONG\r\n')).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
