import type { Base64Codec } from '../codecs/base64.ts'
import type { Bytes } from '../web-crypto.ts'

const BEGIN = '-----BEGIN ENCRYPTED PRIVATE KEY-----'
const END = '-----END ENCRYPTED PRIVATE KEY-----'
const LINE = 64
/** An RSA-2048 key takes under 2000 characters; the rest is room for text that tools write around it. */
const TEXT_LIMIT = 65_536

/** The DER inside an encrypted PEM; text around it and line ends of any system are accepted. Null for anything else. */
export function readPem(base64: Base64Codec, text: unknown): Bytes | null {
  if (typeof text !== 'string' || text.length > TEXT_LIMIT) return null
  const start = text.indexOf(BEGIN)
  const end = text.indexOf(END, start)
  if (start < 0 || end < 0) return null
  const body = text.slice(start + BEGIN.length, end)
  return base64.decode(body.replaceAll(/[\r\n\t ]/g, ''))
}

export function writePem(base64: Base64Codec, der: Bytes): string {
  const body = base64.encode(der)
  const lines = Array.from({ length: Math.ceil(body.length / LINE) }, (_, at) => body.slice(at * LINE, (at + 1) * LINE))
  return [BEGIN, ...lines, END, ''].join('\n')
}
