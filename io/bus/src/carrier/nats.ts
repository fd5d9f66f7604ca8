import { type Consumer, jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream'
import { type Msg, type NatsConnection, RequestError, type Subscription, TimeoutError } from '@nats-io/transport-node'
import { announceSlowCall } from '@sealpost/kernel'
import type { Link, Party } from '../parties.ts'
import { inboxPrefix, subjectOf } from '../subjects.ts'
import type { AnswerRequest, CarriedMessage, Carrier, NoAnswer, Serving, Stoppable } from './carrier.ts'
import { closeLine, connectedWithin, type LineOptions, type NatsLine, openLine, pause, RETRY_MS } from './line.ts'
import { ensureQueue, isMissingQueue, streamName } from './streams.ts'

const QUEUE_GROUP = 'sealpost'
const SEND_TIMEOUT_MS = 5000
/** The asker does not wait much longer either. */
const LEAVE_MS = 5000
/** Pull requests are renewed this often, and a silent server is detected within two heartbeats. */
const PULL = { expires: 10_000, idle_heartbeat: 1000, abort_on_missing_resource: true } as const

/** Not asking for the account first: it takes a request, and parties have no permission for it. */
const UNCHECKED = { checkAPI: false } as const

export function openNatsCarrier(options: LineOptions): Carrier {
  const line = openLine(options)
  return {
    isConnected: () => line.isConnected,
    connected: (withinMs) => connectedWithin(line, withinMs),
    onReconnect: (act) => void line.onReconnect.push(act),
    prepare: (link) => prepare(line, link),
    send: (link, messageId, payload) => send(line, link, messageId, payload),
    unacknowledged: (link) => unacknowledged(line, link),
    receive: (link, atOnce, onMessage) => receive(line, link, atOnce, onMessage),
    publish(subject, payload) {
      // Nothing is buffered: a hint that waits for the server to return would be outdated.
      if (line.isConnected && !line.isClosed) line.live?.publish(subject, payload)
    },
    subscribe: (subject, onMessage) =>
      subscribe(line, (connection) =>
        connection.subscribe(subject, { callback: (error, message) => handOver(line, error, message, onMessage) }),
      ),
    request: (subject, payload, timeoutMs) => request(line, subject, payload, timeoutMs),
    serve: (subject, asking, answer) => serve(line, subject, asking, answer),
    close: () => closeLine(line),
  }
}

function prepare(line: NatsLine, link: Link): void {
  const ensure = (): void => {
    // The first send tries again.
    ensureAtHome(line, link).catch((error: unknown) =>
      line.log.debug({ stream: streamName(link), error: String(error) }, 'a queue could not be made yet'),
    )
  }
  line.onReconnect.push(ensure)
  ensure()
}

/** A stream and its consumer, made by the region that the NATS belongs to. */
async function ensureAtHome(line: NatsLine, link: Link): Promise<void> {
  if (!line.isHome) return
  const connection = await line.connection
  const name = streamName(link)
  let queue = line.queues.get(name)
  if (queue === undefined) {
    queue = jetstreamManager(connection, UNCHECKED).then((manager) => ensureQueue(manager, link))
    line.queues.set(name, queue)
  }
  try {
    await queue
  } catch (error) {
    line.queues.delete(name)
    throw error
  }
}

async function send(line: NatsLine, link: Link, messageId: string, payload: Uint8Array): Promise<void> {
  announceSlowCall('a NATS publish')
  const connection = await line.connection
  await ensureAtHome(line, link)
  try {
    const options = { msgID: messageId, timeout: SEND_TIMEOUT_MS }
    await jetstream(connection).publish(subjectOf('tell', link), payload, options)
  } catch (error) {
    // A wiped server answers as if it had no JetStream: check the queue again before the next send.
    line.queues.delete(streamName(link))
    throw error
  }
}

async function unacknowledged(line: NatsLine, link: Link): Promise<number> {
  const manager = await jetstreamManager(await line.connection, UNCHECKED)
  const info = await manager.consumers.info(streamName(link), link.target)
  return info.num_pending + info.num_ack_pending
}

function receive(line: NatsLine, link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable {
  const state = { isStopped: false, stopPulling: () => {} }
  const pull = async (): Promise<void> => {
    const client: JetStreamClient = jetstream(await line.connection)
    if (line.isHome) await ensureQueue(await client.jetstreamManager(UNCHECKED.checkAPI), link)
    const consumer: Consumer = await client.consumers.get(streamName(link), link.target)
    const messages = await consumer.consume({ ...PULL, max_messages: atOnce })
    state.stopPulling = () => messages.stop()
    if (state.isStopped) return messages.stop()
    for await (const message of messages) {
      if (!line.isTrusted) continue
      onMessage({
        payload: message.data,
        acknowledge: () => say(line, () => message.ack()),
        giveBack: () => say(line, () => message.nak()),
      })
    }
  }
  const keepPulling = async (): Promise<void> => {
    while (!state.isStopped && !line.isClosed) {
      await pull().catch((error: unknown) => {
        if (!state.isStopped && !line.isClosed) reportPull(line, link, error)
      })
      if (!state.isStopped && !line.isClosed) await pause(RETRY_MS)
    }
  }
  void keepPulling()
  return {
    stop() {
      state.isStopped = true
      state.stopPulling()
    },
  }
}

function reportPull(line: NatsLine, link: Link, error: unknown): void {
  const fields = { stream: streamName(link), error: String(error) }
  if (!line.isHome && isMissingQueue(error)) line.log.debug(fields, 'the region has not made this queue yet')
  else line.log.warn(fields, 'pulling from NATS failed; trying again')
}

/** An unacknowledged message is redelivered, and then recognised as applied. */
function say(line: NatsLine, word: () => void): void {
  try {
    if (!line.isClosed) word()
  } catch (error) {
    line.log.debug({ error: String(error) }, 'an acknowledgement could not be sent')
  }
}

function subscribe(line: NatsLine, begin: (connection: NatsConnection) => Subscription): Stoppable {
  let isStopped = false
  let subscription: Subscription | null = null
  void line.connection.then((connection) => {
    if (!isStopped && !line.isClosed) subscription = begin(connection)
  })
  return {
    stop() {
      isStopped = true
      if (!line.isClosed) subscription?.unsubscribe()
    },
  }
}

function handOver(line: NatsLine, error: Error | null, message: Msg, onMessage: (payload: Uint8Array) => void): void {
  if (error !== null || !line.isTrusted) return
  // Only a stream's message has one here: a party has made the server deliver it to a subject of another.
  if (message.reply !== undefined && message.reply !== '') return discard(line, message)
  try {
    onMessage(message.data)
  } catch (thrown) {
    line.log.error({ subject: message.subject, error: String(thrown) }, 'a malformed message was discarded')
  }
}

async function request(
  line: NatsLine,
  subject: string,
  payload: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array | NoAnswer> {
  announceSlowCall('a NATS request')
  const connection = await line.connection
  const lost = Promise.withResolvers<'connection lost'>()
  const giveUp = (): void => lost.resolve('connection lost')
  line.waiting.add(giveUp)
  const answered = connection
    .request(subject, payload, { timeout: timeoutMs })
    .then((answer) => answer.data, whyNoAnswer)
  try {
    return await Promise.race([answered, lost.promise])
  } finally {
    line.waiting.delete(giveUp)
  }
}

function whyNoAnswer(error: unknown): NoAnswer {
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof RequestError && error.isNoResponders() ? 'no responders' : 'connection lost'
}

function serve(line: NatsLine, subject: string, asking: Party, answer: AnswerRequest): Serving {
  const underWay = new Set<Promise<void>>()
  let isStopped = false
  let subscription: Subscription | null = null
  void line.connection.then((connection) => {
    if (isStopped || line.isClosed) return
    subscription = connection.subscribe(subject, {
      queue: QUEUE_GROUP,
      callback(error, message) {
        if (error !== null || !line.isTrusted) return
        if (!isReplyTo(asking, message)) return discard(line, message)
        const responding = respond(line, message, answer).finally(() => underWay.delete(responding))
        underWay.add(responding)
      },
    })
  })
  return {
    async stop() {
      isStopped = true
      if (line.isClosed || subscription === null) return
      // A disconnected server has no waiting asker, and draining would wait for the server.
      if (line.isConnected) await Promise.race([subscription.drain(), pause(LEAVE_MS)])
      else subscription.unsubscribe()
      await Promise.race([Promise.all(underWay), pause(LEAVE_MS)])
      if (line.isConnected) await Promise.race([line.live?.flush(), pause(LEAVE_MS)])
    },
  }
}

async function respond(line: NatsLine, message: Msg, answer: AnswerRequest): Promise<void> {
  const { losses } = line
  try {
    const reply = await answer(message.data)
    if (reply === null || line.isClosed) return
    // The permission to respond ends with the connection that brought the request.
    if (line.losses === losses) message.respond(reply)
    else line.log.warn({ subject: message.subject }, 'an answer was dropped: the connection of its request was lost')
  } catch (error) {
    line.log.error({ subject: message.subject, error: String(error) }, 'a malformed request was not answered')
  }
}

/** NATS lets a responder publish once to whatever reply subject a request names: it must be the asking party's inbox. */
function isReplyTo(asking: Party, { reply }: Msg): boolean {
  return reply !== undefined && reply.startsWith(`${inboxPrefix(asking)}.`)
}

function discard(line: NatsLine, { subject, reply }: Msg): void {
  line.log.error({ subject, reply }, 'a message with a foreign reply subject was discarded')
}
