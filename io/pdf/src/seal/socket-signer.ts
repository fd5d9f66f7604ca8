import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import type { Bytes } from '@sealpost/crypto'
import { announceSlowCall } from '@sealpost/kernel'
import { SealError } from './seal-error.ts'
import { readSealCertificates, type SealSigner } from './signer.ts'

/**
 * [Note: the key is in another process] A process that signs holds the key and nothing else: one that reads the memory
 * of a region finds no key. It listens at a Unix socket, whose file only its user and root can open. Each connection is
 * one signature: content in, signature out, both ended by closing.
 */
export interface SocketSignerOptions {
  readonly path: string
  readonly certificatePem: string
  /** 5 s by default. */
  readonly timeLimitMs?: number
}

/** The signed attributes of a seal are about 150 bytes. */
const MAX_CONTENT_BYTES = 4096
const MAX_SIGNATURE_BYTES = 4096

export function createSocketSigner({ path, certificatePem, timeLimitMs = 5_000 }: SocketSignerOptions): SealSigner {
  return {
    ...readSealCertificates(certificatePem),
    async sign(content) {
      announceSlowCall('signing a seal')
      try {
        const socket = connect({ path, allowHalfOpen: true })
        socket.setTimeout(timeLimitMs, () => socket.destroy(new Error('the signing process did not answer in time')))
        socket.end(content)
        const signature = await readAll(socket, MAX_SIGNATURE_BYTES)
        if (signature.length === 0) throw new Error('the signing process refused to sign')
        return signature
      } catch (error) {
        throw new SealError('signer', 'the signing process made no signature', { cause: error })
      }
    },
  }
}

export interface SigningServer {
  close(): Promise<void>
}

/** The other end: answers with signatures of the given signer. */
export async function serveSigner(path: string, signer: Pick<SealSigner, 'sign'>): Promise<SigningServer> {
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on('error', () => {})
    void answer(socket, signer)
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(path, listening.resolve)
  await listening.promise
  chmodSync(path, 0o600)
  return {
    close() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      return closed.promise
    },
  }
}

/** An empty answer is a refusal; its reason stays here. */
async function answer(socket: Socket, signer: Pick<SealSigner, 'sign'>): Promise<void> {
  try {
    socket.end(await signer.sign(await readAll(socket, MAX_CONTENT_BYTES)))
  } catch {
    socket.end()
  }
}

async function readAll(socket: Socket, maxBytes: number): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) throw new Error('a socket gives bytes')
    size += chunk.length
    if (size > maxBytes) throw new Error('more bytes than expected')
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}
