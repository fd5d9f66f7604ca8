import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestServer } from './server.ts'

export function postJson(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** Undefined for a success. */
export async function errorKeyOf(response: Response): Promise<unknown> {
  return Reflect.get(Object(await response.json()), 'error_key')
}

/**
 * Sends bytes that no HTTP client would, and returns everything received until the server closes the connection, which
 * the text must request.
 */
export async function speakRaw({ url }: TestServer, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  socket.write(text, 'latin1')
  await once(socket, 'close')
  return answer
}
