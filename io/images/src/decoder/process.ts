import type { ChildProcess } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { accept, announceSlowCall, decline, type Result } from '@sealpost/kernel'
import type { DrawnPhoto } from '../photo.ts'
import { unpackPhoto } from './frames.ts'
import { findSandbox, type Sandbox } from './sandbox.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** The workspace, with its packages: what the decoder may read. */
const CODE = fileURLToPath(new URL('../../../..', import.meta.url))
/** Our two pictures are far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** The strongest sandbox of this machine; found by starting the decoder with an empty file. */
export function findDecoderSandbox(): Promise<Sandbox> {
  return findSandbox(process.execPath, decoderArgs())
}

/**
 * [Note: one process per photo] A decoder works on untrusted input. In a process of its own it can neither crash the
 * API, nor read the API's memory, nor keep memory once it is done; and one that takes too long can be killed, which a
 * thread inside native code cannot. It gets no settings, and cannot read those of its parent: [Note: the decoder reads
 * no secret].
 */
export function decodeApart(
  sandbox: Sandbox,
  bytes: Uint8Array,
  timeLimitMs: number,
): Promise<Result<DrawnPhoto, 'damaged' | 'too_many_pixels'>> {
  announceSlowCall('decoding a photo')
  const { promise, resolve, reject } = Promise.withResolvers<Result<DrawnPhoto, 'damaged' | 'too_many_pixels'>>()
  const child = sandbox.start(process.execPath, decoderArgs(), {
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

/** The decoder itself is a native addon; writing, processes and threads stay forbidden. */
function decoderArgs(): readonly string[] {
  const cache = getCompileCacheDir()
  const readable = [CODE, ...(cache === undefined ? [] : [cache])]
  const reads = readable.map((folder) => `--allow-fs-read=${folder}`)
  return ['--max-old-space-size=128', '--permission', '--allow-addons', ...reads, MAIN]
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
