import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { PublicKey } from '@sealpost/sdk'
import { hundredths, type Installation, median, medianRatio, northwind, type ScenarioContext } from '@sealpost/testkit'
import { alternate } from '../alternate.ts'
import type { Threads, ThreadTask } from './decrypt-thread.ts'

const VALUES = 10
/** Sealed once and opened many times: opening has no memory. */
const DISTINCT = 50

export interface DecryptionSize {
  readonly connections: number
  readonly samples: number
}

/**
 * The same wrappers on both sides, in one worker thread per core. Cost is CPU time of the process with all its threads:
 * a rate of 0.85 means that the SDK decrypts 85 connections in the time in which bare WebCrypto opens the values of 100.
 */
export async function measureDecryption(
  context: ScenarioContext,
  { frontDoor }: Pick<Installation, 'frontDoor'>,
  { connections, samples }: DecryptionSize,
): Promise<Readonly<Record<string, number>>> {
  const key = await PublicKey.import(northwind.service.publicKey)
  const texts = Array.from({ length: DISTINCT * VALUES }, (_, place) => `a value of some length, number ${place}`)
  const wrappers = await Promise.all(texts.map((text) => key.seal(text)))
  const { clientId, clientSecret, service } = northwind
  const threads: Threads = {
    frontDoorUrl: frontDoor.url,
    clientId,
    clientSecret,
    wrappedKey: service.encryptedPrivateKey,
    passphrase: service.passphrase,
    wrappers,
    valuesPerConnection: VALUES,
  }
  const workers = await Promise.all(Array.from({ length: availableParallelism() }, () => openThread(context, threads)))
  const share = Math.ceil(connections / workers.length)
  const side = (kind: ThreadTask['side']) => () => costOf(() => Promise.all(workers.map((run) => run(kind, share))))
  const { ours, bare } = await alternate(
    { ours: side('ours'), bare: side('bare') },
    {
      samples,
      warmUps: 1,
      onSample: (number, sample) =>
        context.progress(
          `sample ${number} of ${samples}: ours ${seconds(sample.ours)} s of CPU time, bare ${seconds(sample.bare)} s`,
        ),
    },
  )
  const rate = medianRatio(
    bare.map(({ cpuMs }) => cpuMs),
    ours.map(({ cpuMs }) => cpuMs),
  )
  const perSecond = (share * workers.length) / (median(ours.map(({ wallMs }) => wallMs)) / 1000)
  const cores = hundredths(median(ours.map(({ cpuMs, wallMs }) => cpuMs / wallMs)))
  context.progress(`decrypting: ${Math.round(perSecond)} connections a second on ${cores} cores, rate to bare ${rate}`)
  return { decrypt_rate_to_bare: rate, decrypted_per_second: Math.round(perSecond), cores_used: cores }
}

type RunThread = (side: ThreadTask['side'], connections: number) => Promise<void>

async function openThread(context: ScenarioContext, threads: Threads): Promise<RunThread> {
  const worker = new Worker(new URL('decrypt-thread.ts', import.meta.url), { workerData: threads })
  context.onEnd(async () => void (await worker.terminate()))
  await once(worker, 'message')
  return async (side, connections) => {
    const task: ThreadTask = { side, connections }
    const answered = once(worker, 'message')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(task)
    const done: unknown = (await answered)[0]
    if (done !== connections) throw new Error(`a thread has done ${String(done)} of ${connections} connections`)
  }
}

interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
}

function seconds({ cpuMs }: Cost): string {
  return (cpuMs / 1000).toFixed(1)
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - wall }
}
