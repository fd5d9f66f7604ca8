import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Installation, processMegabytes, type ScenarioContext } from '@sealpost/testkit'
import { sealedText } from './kinds.ts'
import type { User } from './user.ts'

const MIB = 1_048_576
const BODIES_EACH = 2
/** A sealed document; eight of them are the budget of a process. */
const CHARACTERS = 39 * MIB
const CHUNK = MIB
const SAMPLE_MS = 50
const DEADLINE_MS = 300_000

/** Sends bodies up to their last byte, then lets them all end at once; answers the most memory that the region took. */
export async function holdBodies(context: ScenarioContext, { eu }: Installation, users: readonly User[]) {
  const before = processMegabytes(eu.pid())
  const body = Buffer.from(JSON.stringify({ value: sealedText(CHARACTERS) }))
  const held: HeldBody[] = []
  for (const user of users) {
    for (let sent = 0; sent < BODIES_EACH; sent += 1) held.push(await sendAllButTheEnd(user, body))
  }
  const heldMb = processMegabytes(eu.pid())
  context.progress(
    `${held.length} bodies of ${Math.round(body.length / MIB)} MiB: ${before} MB before, ${heldMb} MB held`,
  )
  const sampling = sampleMemory(eu.pid())
  for (const { socket } of held) socket.write(body.subarray(-1))
  const statuses = await Promise.all(held.map(({ answer }) => answer))
  const top = Math.max(heldMb, sampling.end())
  context.progress(`answered ${statuses.join(', ')}; up to ${top} MB`)
  return {
    memory_before_mb: before,
    memory_held_mb: heldMb,
    top_memory_mb: top,
    held_served: statuses.filter((status) => status < 500).length,
    // 503: others were before it in the queue for too long.
    held_failed: statuses.filter((status) => !(status < 500) && status !== 503).length,
  }
}

interface HeldBody {
  readonly socket: Socket
  /** The status; NaN without an answer. */
  readonly answer: Promise<number>
}

async function sendAllButTheEnd({ apiUrl, token, fileField }: User, body: Buffer): Promise<HeldBody> {
  const { hostname, port } = new URL(apiUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  const answer = statusOf(socket)
  await once(socket, 'connect')
  const head = [`Host: ${hostname}`, `Authorization: Bearer ${token}`, 'Content-Type: application/json']
  socket.write(
    `PUT /api/contact-data/${fileField} HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  for (let at = 0; at < body.length - 1; at += CHUNK) {
    const isTaken = socket.write(body.subarray(at, Math.min(at + CHUNK, body.length - 1)))
    if (!isTaken) await once(socket, 'drain')
  }
  return { socket, answer }
}

async function statusOf(socket: Socket): Promise<number> {
  socket.on('error', () => {})
  const answered = once(socket, 'data').then(([data]) => String(data))
  const text = await Promise.race([answered, pause(DEADLINE_MS, '', { ref: false })])
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
}

function sampleMemory(pid: number): { readonly end: () => number } {
  let top = 0
  const sampling = setInterval(() => (top = Math.max(top, processMegabytes(pid))), SAMPLE_MS)
  return {
    end() {
      clearInterval(sampling)
      return top
    },
  }
}
