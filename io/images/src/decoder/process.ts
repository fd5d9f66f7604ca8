import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { accept, announceSlowCall, decline, type Result } from '@sealpost/kernel'
import type { DrawnPhoto } from '../photo.ts'
import { unpackPhoto } from './frames.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** Our two pictures are far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/**
 * [Note: one process per photo] A decoder works on untrusted input. In a process of its own it can neither crash the
 * API, nor read the API's memory, nor keep memory once it is done; and one that takes too long can be killed, which a
 * thread inside native code cannot. It gets no settings, so it holds no secrets.
 */
export function decodeApart(
  bytes: Uint8Array,
  timeLimitMs: number,
): Promise<Result<DrawnPhoto, 'damaged' | 'too_many_pixels'>> {
  announceSlowCall('decoding a photo')
  const { promise, resolve, reject } = Promise.withResolvers<Result<DrawnPhoto, 'damaged' | 'too_many_pixels'>>()
  const child = spawn(process.execPath, ['--max-old-space-size=128', MAIN], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeLimitMs)
  const answer = collect(child)
  child.once('error', reject)
  child.once('close', () => {
    clearTimeout(timer)
    const photo = unpackPhoto(Buffer.concat(answer))
    if (photo !== null) resolve(accept(photo))
    else resolve(decline(isLate ? 'too_many_pixels' : 'damaged'))
  })
  // It may end before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(bytes)
  return promise
}

/** Only the path of the compile cache, if there is one: it saves a third of the start. */
function environment(): Record<string, string> {
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
}

function collect(child: ChildProcess): readonly Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return chunks
}
