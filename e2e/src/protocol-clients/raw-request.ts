import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type Access, type Reply, replyOf } from './http.ts'

/**
 * Sends a request byte for byte as it is written: a line with method and path, lines of headers, an empty line, the body.
 * Host, bearer token and the length of the body are added where no header says them.
 */
export async function send({ url, token }: Access, written: string): Promise<Reply> {
  const { hostname, port, host } = new URL(url)
  const [head = '', ...rest] = written.trimStart().split('\n\n')
  const [line = '', ...headers] = head.trimEnd().split('\n')
  const names = new Set(headers.map((header) => header.split(':')[0]?.toLowerCase()))
  const body = Buffer.from(rest.join('\n\n'))
  const isChunked = names.has('transfer-encoding')
  if (!names.has('host')) headers.unshift(`Host: ${host}`)
  if (!names.has('authorization') && token !== null) headers.push(`Authorization: Bearer ${token}`)
  if (!isChunked && !line.startsWith('GET')) headers.push(`Content-Length: ${body.length}`)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(`${[`${line} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  socket.write(isChunked ? chunked(body) : body)
  return readAnswer(await buffer(socket))
}

const CHUNK_BYTES = 100

function chunked(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    const part = body.subarray(at, at + CHUNK_BYTES)
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

function readAnswer(answer: Buffer): Reply {
  const end = answer.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = answer.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Headers(lines.map((line) => readHeader(line)))
  const rest = answer.subarray(end + 4)
  const isChunked = headers.get('transfer-encoding') === 'chunked'
  return replyOf(Number(statusLine.split(' ')[1]), headers, isChunked ? joinChunks(rest) : rest)
}

function readHeader(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at), line.slice(at + 1).trim()]
}

function joinChunks(rest: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const start = rest.indexOf('\r\n', at) + 2
    const length = Number.parseInt(rest.subarray(at, start).toString('latin1'), 16)
    if (!(length > 0)) return Buffer.concat(parts)
    parts.push(rest.subarray(start, start + length))
    at = start + length + 2
  }
}
