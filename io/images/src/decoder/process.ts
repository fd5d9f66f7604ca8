import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accept, announceSlowCall, decline, type Result } from '@sealpost/kernel'
import { findSandbox, flagsReading, type Sandbox } from '@sealpost/process/sandbox'
import type { DrawnPhoto } from '../photo.ts'
import { unpackPhoto } from './frames.ts'

const HERE = fileURLToPath(import.meta.url)
/** Beside this file, as source or bundled. */
const MAIN = join(dirname(HERE), `decode-main${extname(HERE)}`)
/** What the decoder may read: its own folder, and the workspace with its packages. */
const CODE = [dirname(HERE), createRequire(HERE).resolve('@napi-rs/image').split('/node_modules/')[0] ?? '']
/** Our two pictures are far smaller. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** The strongest sandbox of this machine; found by starting the decoder with an empty file. */
export function findDecoderSandbox(): Promise<Sandbox> {
  return findSandbox(process.execPath, decoderArgs())
}

/**
 * [Note: one process per photo] A decoder works on untrusted input. In a process of its own it can neither crash the
 * API, nor read the API's memory, nor keep memory once it is done; and one that takes too long can be killed, which a
 * thread inside native code cannot. It gets no settings, and cannot read those of its parent: [Note: a sandbox reads
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
    env: {},
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
  return ['--max-old-space-size=128', '--allow-addons', ...flagsReading(CODE), MAIN]
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
