import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { codeOf, reasonOf } from './failure.ts'

/** One allowed address. No name is resolved here, so nothing can change between the check and the connection. */
export interface DialTarget {
  readonly address: string
  readonly port: number
  /** The name or address that the certificate must be for; null for plain HTTP. */
  readonly certificateHost: string | null
}

export interface Dialer {
  /** A connected socket, its certificate verified; throws `DialError`, or the signal's reason. */
  dial(target: DialTarget, signal: AbortSignal): Promise<Socket>
}

export class DialError extends Error {
  override readonly name = 'DialError'
  readonly step: 'connect' | 'tls'
  readonly code: string

  constructor(step: 'connect' | 'tls', cause: unknown) {
    const code = codeOf(cause) ?? 'CLOSED'
    super(`${step} failed: ${code}`, { cause })
    this.step = step
    this.code = code
  }
}

export interface SocketDialerOptions {
  /** Certificates (PEM) to trust instead of the system's. */
  readonly trustedCertificates?: readonly string[]
}

export function socketDialer({ trustedCertificates }: SocketDialerOptions = {}): Dialer {
  let made: SecureContext | null = null
  // Made once: reading the trusted certificates is a fifth of the CPU time of a handshake.
  const secureContext = (): SecureContext =>
    (made ??= createSecureContext({
      minVersion: 'TLSv1.2',
      ...(trustedCertificates === undefined ? {} : { ca: [...trustedCertificates] }),
    }))
  return {
    async dial({ address, port, certificateHost }, signal) {
      signal.throwIfAborted()
      const socket = connectTcp({ host: address, port, noDelay: true })
      await waitFor(socket, 'connect', 'connect', signal)
      if (certificateHost === null) return socket
      const secured = secure(socket, certificateHost, secureContext())
      await waitFor(secured, 'secureConnect', 'tls', signal)
      return secured
    },
  }
}

function secure(socket: Socket, host: string, secureContext: SecureContext): TLSSocket {
  return connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would otherwise disable it.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    secureContext,
  })
}

function waitFor(socket: Socket, event: string, step: 'connect' | 'tls', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error?: Error): void => {
      socket.destroy()
      finish()
      reject(signal.aborted ? reasonOf(signal) : new DialError(step, error))
    }
    const giveUp = (): void => fail()
    const succeed = (): void => {
      finish()
      resolve()
    }
    const finish = (): void => {
      socket.off('error', fail).off('close', giveUp).off(event, succeed)
      signal.removeEventListener('abort', giveUp)
      // Between connecting and the first request there is no other listener, and an unhandled error ends the process.
      socket.on('error', () => {})
    }
    socket.on('error', fail).once('close', giveUp).once(event, succeed)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
