import { type Consumer, jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream'
import { type Msg, type NatsConnection, RequestError, type Subscription, TimeoutError } from '@nats-io/transport-node'
import { announceSlowCall } from '@sealpost/kernel'
import type { Log } from '@sealpost/telemetry'
import type { Link, NatsServer } from '../parties.ts'
import { tellSubject } from '../subjects.ts'
import type { AnswerRequest, CarriedMessage, Carrier, NoAnswer, Serving, Stoppable } from './carrier.ts'
import { closeLine, connectedWithin, type NatsLine, openLine, pause, RETRY_MS } from './line.ts'
import { ensureConsumer, ensureStream, streamName } from './streams.ts'

const QUEUE_GROUP = 'sealpost'
const SEND_TIMEOUT_MS = 5000
/** The asker does not wait much longer either. */
const LEAVE_MS = 5000
/** Pull requests are renewed this often, and a silent server is detected within two heartbeats. */
const PULL = { expires: 10_000, idle_heartbeat: 1000, abort_on_missing_resource: true } as const

export function openNatsCarrier(server: NatsServer, name: string, log: Log): Carrier {
  const line = openLine(server, name, log)
  return {
    isConnected: () => line.isConnected,
    connected: (withinMs) => connectedWithin(line, withinMs),
    onReconnect: (act) => void line.onReconnect.push(act),
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
    serve: (subject, answer) => serve(line, subject, answer),
    close: () => closeLine(line),
  }
}

async function send(line: NatsLine, link: Link, messageId: string, payload: Uint8Array): Promise<void> {
  announceSlowCall('a NATS publish')
  const connection = await line.connection
  const name = streamName(link)
  let stream = line.streams.get(name)
  if (stream === undefined) {
    stream = jetstreamManager(connection).then((manager) => ensureStream(manager, link))
    line.streams.set(name, stream)
  }
  try {
    await stream
    await jetstream(connection).publish(tellSubject(link), payload, { msgID: messageId, timeout: SEND_TIMEOUT_MS })
  } catch (error) {
    // A wiped server answers as if it had no JetStream: check the stream again before the next send.
    line.streams.delete(name)
    throw error
  }
}

async function unacknowledged(line: NatsLine, link: Link): Promise<number> {
  const manager = await jetstreamManager(await line.connection)
  const info = await manager.consumers.info(streamName(link), link.target)
  return info.num_pending + info.num_ack_pending
}

function receive(line: NatsLine, link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable {
  const state = { isStopped: false, stopPulling: () => {} }
  const pull = async (): Promise<void> => {
    const client: JetStreamClient = jetstream(await line.connection)
    await ensureConsumer(await client.jetstreamManager(), link)
    const consumer: Consumer = await client.consumers.get(streamName(link), link.target)
    const messages = await consumer.consume({ ...PULL, max_messages: atOnce })
    state.stopPulling = () => messages.stop()
    if (state.isStopped) return messages.stop()
    for await (const message of messages) {
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
        if (!state.isStopped && !line.isClosed)
          line.log.warn({ stream: streamName(link), error: String(error) }, 'pulling from NATS failed; trying again')
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
  if (error !== null) return
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

function serve(line: NatsLine, subject: string, answer: AnswerRequest): Serving {
  const underWay = new Set<Promise<void>>()
  let isStopped = false
  let subscription: Subscription | null = null
  void line.connection.then((connection) => {
    if (isStopped || line.isClosed) return
    subscription = connection.subscribe(subject, {
      queue: QUEUE_GROUP,
      callback(error, message) {
        if (error !== null) return
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
  try {
    const reply = await answer(message.data, message.subject)
    if (!line.isClosed) message.respond(reply)
  } catch (error) {
    line.log.error({ subject: message.subject, error: String(error) }, 'a malformed request was not answered')
  }
}
