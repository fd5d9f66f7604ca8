import { hostPlatform } from '../keys/host.ts'

/** A framework has read the body and given it another form. */
export class RawBodyError extends Error {
  override readonly name = 'RawBodyError'

  constructor(found: string) {
    super(
      `The signature covers the exact bytes of the body, and the receiver was given ${found} instead. ` +
        'Express: mount expressHandler(receiver) before app.use(express.json()), ' +
        'or keep the bytes with express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes } }). ' +
        'Fastify: app.register(fastifyPlugin(receiver, { path })), which keeps the bytes by itself. ' +
        'Elsewhere: hand receive() the body as a Uint8Array, or as the text that came, before anything parses it.',
    )
  }
}

export function rawBodyOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return Uint8Array.from(body)
  const bytes = typeof body === 'string' ? hostPlatform().utf8.encode(body) : null
  if (bytes !== null) return bytes
  if (body === undefined || body === null) throw new RawBodyError('no body, because something has read it before')
  throw new RawBodyError(typeof body === 'object' ? 'a parsed body' : `a ${typeof body}`)
}
