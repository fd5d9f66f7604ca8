import { createHash } from 'node:crypto'
import { createServiceKey } from '@sealpost/crypto'
import { hostPlatform } from '../src/keys/host.ts'
import { memoryPins } from '../src/keys/pins.ts'
import { ServiceKey } from '../src/keys/private-keys.ts'
import { PublicKey } from '../src/keys/public-key.ts'
import type { ServiceClientOptions } from '../src/options.ts'
import { ServiceClient } from '../src/service-client.ts'
import { optionsFor, startFrontDoor, startRegion } from './stub-platform.ts'
import type { Received, Reply, StubServer } from './stub-server.ts'

/** A client of a service at a region with the answers of the test. */
export interface StubService extends AsyncDisposable {
  readonly region: StubServer
  readonly client: ServiceClient
}

export async function startStubService(
  reply: (received: Received, count: number) => Reply,
  more: Partial<ServiceClientOptions> = {},
): Promise<StubService> {
  const region = await startRegion(reply)
  const frontDoor = await startFrontDoor(() => region.url)
  return {
    region,
    client: new ServiceClient(optionsFor(frontDoor, { pins: memoryPins(), ...more })),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

/** A new key pair: the opened private key, and a function that seals to the public key. */
export async function newServiceKey(): Promise<{
  readonly key: ServiceKey
  readonly seal: (text: string) => Promise<string>
}> {
  const { publicKey, encryptedPrivateKey, passphrase } = await createServiceKey(hostPlatform())
  const sealing = await PublicKey.import(publicKey)
  return {
    key: await ServiceKey.fromWrap(encryptedPrivateKey, passphrase.reveal()),
    seal: (text) => sealing.seal(text),
  }
}

/** The answer of a file route with its digest. */
export function fileReply(content: string | Uint8Array, contentType: string): Reply {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { status: 200, parts: [bytes], headers: { 'content-type': contentType, 'x-platform-content-sha256': digest } }
}
