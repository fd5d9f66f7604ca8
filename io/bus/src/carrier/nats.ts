import { type Consumer, jetstream, type JetStreamClient, jetstreamManager } from '@nats-io/jetstream'
import {
  connect,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/transport-node'
import { announceSlowAct } from '@sealpost/kernel'
import type { Log } from '@sealpost/telemetry'
import type { Link, NatsServer } from '../parties.ts'
import { tellSubject } from '../subjects.ts'
import type { AnswerRequest, CarriedMessage, Carrier, NoAnswer, Stoppable } from './carrier.ts'
import { ensureConsumer, ensureStream, streamName } from './streams.ts'

const QUEUE_GROUP = 'sealpost'
const SEND_TIMEOUT_MS = 5000
const RETRY_MS = 250
/** Pull requests are renewed this often, and a silent server is noticed within two heartbeats. */
const PULL = { expires: 10_000, idle_heartbeat: 1000, abort_on_missing_resource: true } as const

interface Open {
  readonly connection: Promise<NatsConnection>
  readonly log: Log
  /** The same connection, for acts that do not wait for it. */
  live: NatsConnection | null
  isConnected: boolean
  isClosed: boolean
  /** Links whose stream is known to exist; forgotten when a send fails. */
  readonly streams: Map<string, Promise<void>>
  readonly onReconnect: (() => void)[]
  /** Requests that wait for an answer, which a lost connection will not bring. */
  readonly waiting: Set<() => void>
}

/** Starts connecting and never gives up; an unreachable server is a state, not an error. */
export function openNatsCarrier(server: NatsServer, name: string, log: Log): Carrier {
  const opened = Promise.withResolvers<NatsConnection>()
  const open: Open = {
    connection: opened.promise,
    log,
    live: null,
    isConnected: false,
    isClosed: false,
    streams: new Map(),
    onReconnect: [],
    waiting: new Set(),
  }
  void keepConnecting(open, connectionOptions(server, name), opened.resolve)
  void watchConnection(open)
  return {
    isConnected: () => open.isConnected,
    connected: (withinMs) => connectedWithin(open, withinMs),
    onReconnect: (act) => void open.onReconnect.push(act),
    send: (link, messageId, payload) => send(open, link, messageId, payload),
    unacknowledged: (link) => unacknowledged(open, link),
    receive: (link, atOnce, onMessage) => receive(open, link, atOnce, onMessage),
    publish(subject, payload) {
      // Nothing is kept for later: a hint that waits for the server to come back would arrive as a lie.
      if (open.isConnected && !open.isClosed) open.live?.publish(subject, payload)
    },
    subscribe: (subject, onMessage) =>
      subscribe(open, (connection) =>
        connection.subscribe(subject, { callback: (error, message) => handOver(open, error, message, onMessage) }),
      ),
    request: (subject, payload, timeoutMs) => request(open, subject, payload, timeoutMs),
    serve: (subject, answer) => serve(open, subject, answer),
    async close() {
      open.isClosed = true
      const connection = await Promise.race([open.connection, Promise.resolve(null)])
      await connection?.close()
    },
  }
}

function connectionOptions(server: NatsServer, name: string): ConnectionOptions {
  return {
    servers: [...server.servers],
    name,
    ...(server.user === undefined ? {} : { user: server.user }),
    ...(server.password === undefined ? {} : { pass: server.password.reveal() }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: RETRY_MS,
    pingInterval: 5000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  }
}

/** Not the library's own waiting for the first connection: that cannot be stopped, and would keep a process alive. */
async function keepConnecting(
  open: Open,
  options: ConnectionOptions,
  onOpen: (connection: NatsConnection) => void,
): Promise<void> {
  while (!open.isClosed) {
    const connection = await connect(options).catch((error: unknown) => {
      open.log.warn({ servers: options.servers, error: String(error) }, 'NATS cannot be reached; trying again')
      return null
    })
    if (connection === null) await pause(RETRY_MS)
    else if (open.isClosed) await connection.close()
    else return onOpen(connection)
  }
}

async function watchConnection(open: Open): Promise<void> {
  const connection = await open.connection
  open.live = connection
  open.isConnected = true
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') {
      open.isConnected = false
      for (const giveUp of open.waiting) giveUp()
      open.log.warn({ server: status.server }, 'NATS is away; reconnecting')
    }
    if (status.type === 'reconnect') {
      open.isConnected = true
      open.log.info({ server: status.server }, 'NATS is back')
      for (const act of open.onReconnect) act()
    }
  }
  open.isConnected = false
}

async function connectedWithin(open: Open, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs
  while (!open.isConnected && performance.now() < end) await pause(Math.min(20, withinMs))
  return open.isConnected
}

async function send(open: Open, link: Link, messageId: string, payload: Uint8Array): Promise<void> {
  announceSlowAct('a NATS publish')
  const connection = await open.connection
  const name = streamName(link)
  let stream = open.streams.get(name)
  if (stream === undefined) {
    stream = jetstreamManager(connection).then((manager) => ensureStream(manager, link))
    open.streams.set(name, stream)
  }
  try {
    await stream
    await jetstream(connection).publish(tellSubject(link), payload, { msgID: messageId, timeout: SEND_TIMEOUT_MS })
  } catch (error) {
    // A wiped server answers as if it had no JetStream at all: look for the stream again before the next send.
    open.streams.delete(name)
    throw error
  }
}

async function unacknowledged(open: Open, link: Link): Promise<number> {
  const manager = await jetstreamManager(await open.connection)
  const info = await manager.consumers.info(streamName(link), link.target)
  return info.num_pending + info.num_ack_pending
}

function receive(open: Open, link: Link, atOnce: number, onMessage: (message: CarriedMessage) => void): Stoppable {
  const state = { isStopped: false, stopPulling: () => {} }
  const pull = async (): Promise<void> => {
    const client: JetStreamClient = jetstream(await open.connection)
    await ensureConsumer(await client.jetstreamManager(), link)
    const consumer: Consumer = await client.consumers.get(streamName(link), link.target)
    const messages = await consumer.consume({ ...PULL, max_messages: atOnce })
    state.stopPulling = () => messages.stop()
    if (state.isStopped) return messages.stop()
    for await (const message of messages) {
      const acknowledge = (): void => {
        if (!open.isClosed) message.ack()
      }
      onMessage({ payload: message.data, acknowledge })
    }
  }
  const keepPulling = async (): Promise<void> => {
    while (!state.isStopped && !open.isClosed) {
      await pull().catch((error: unknown) => {
        if (!state.isStopped && !open.isClosed)
          open.log.warn({ stream: streamName(link), error: String(error) }, 'pulling from NATS failed; trying again')
      })
      if (!state.isStopped && !open.isClosed) await pause(RETRY_MS)
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

function subscribe(open: Open, begin: (connection: NatsConnection) => Subscription): Stoppable {
  let isStopped = false
  let subscription: Subscription | null = null
  void open.connection.then((connection) => {
    if (!isStopped && !open.isClosed) subscription = begin(connection)
  })
  return {
    stop() {
      isStopped = true
      if (!open.isClosed) subscription?.unsubscribe()
    },
  }
}

function handOver(open: Open, error: Error | null, message: Msg, onMessage: (payload: Uint8Array) => void): void {
  if (error !== null) return
  try {
    onMessage(message.data)
  } catch (thrown) {
    open.log.error({ subject: message.subject, error: String(thrown) }, 'a message that no bus sends was thrown away')
  }
}

async function request(
  open: Open,
  subject: string,
  payload: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array | NoAnswer> {
  announceSlowAct('a NATS request')
  const connection = await open.connection
  const lost = Promise.withResolvers<'connection lost'>()
  const giveUp = (): void => lost.resolve('connection lost')
  open.waiting.add(giveUp)
  const answered = connection
    .request(subject, payload, { timeout: timeoutMs })
    .then((answer) => answer.data, whyNoAnswer)
  try {
    return await Promise.race([answered, lost.promise])
  } finally {
    open.waiting.delete(giveUp)
  }
}

function whyNoAnswer(error: unknown): NoAnswer {
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof RequestError && error.isNoResponders() ? 'no responders' : 'connection lost'
}

function serve(open: Open, subject: string, answer: AnswerRequest): Stoppable {
  return subscribe(open, (connection) =>
    connection.subscribe(subject, {
      queue: QUEUE_GROUP,
      callback(error, message) {
        if (error === null) void respond(open, message, answer)
      },
    }),
  )
}

async function respond(open: Open, message: Msg, answer: AnswerRequest): Promise<void> {
  try {
    const reply = await answer(message.data, message.subject)
    if (!open.isClosed) message.respond(reply)
  } catch (error) {
    open.log.error({ subject: message.subject, error: String(error) }, 'a request that no bus sends was not answered')
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
