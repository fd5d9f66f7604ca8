import { type Dice, openDice } from '../../dice.ts'

/** A route that takes a body, with one that it would accept. */
export interface WriteRoute {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly type: 'application/json' | 'application/x-www-form-urlencoded'
  readonly sample: string
  readonly maxBodyBytes: number
}

export interface BadRequestSubject {
  /** The Authorization header of a caller who may use all of the routes below. */
  readonly authorization: string
  /** Routes that answer 200 to a plain GET and need a token; the first is asked at the end, too. */
  readonly reads: readonly [string, ...string[]]
  readonly writes: readonly [WriteRoute, ...WriteRoute[]]
}

export interface BadRequest {
  readonly kind: string
  /** One character is one byte. */
  readonly bytes: string
  /** False where chance may have left the request good. */
  readonly mustRefuse: boolean
}

/** The same requests for the same seed, the kinds taking turns. */
export function* badRequests(subject: BadRequestSubject, count: number, seed: number): Generator<BadRequest> {
  const dice = openDice(seed)
  const kinds = Object.entries(KINDS)
  for (let made = 0; made < count;) {
    for (const [kind, make] of kinds.slice(0, count - made)) {
      made += 1
      yield { kind, mustRefuse: true, ...make(subject, dice) }
    }
  }
}

type Make = (subject: BadRequestSubject, dice: Dice) => { readonly bytes: string; readonly mustRefuse?: boolean }

const KINDS: Readonly<Record<string, Make>> = {
  'JSON cut off': (subject, dice) => {
    const write = writeOf(subject, dice)
    return { bytes: post(subject, write, write.sample.slice(0, dice.below(write.sample.length))), mustRefuse: false }
  },
  'JSON with a changed byte': (subject, dice) => {
    const write = writeOf(subject, dice)
    const at = dice.below(write.sample.length)
    const body = write.sample.slice(0, at) + dice.byte() + write.sample.slice(at + 1)
    return { bytes: post(subject, write, body), mustRefuse: false }
  },
  'a body of another shape': (subject, dice) => {
    const body = dice.pick(['[]', 'null', '1', '"x"', 'true', '[{}]', '{}', '[[[[]]]]', '-0', '1e400', '""'])
    return { bytes: post(subject, writeOf(subject, dice), body) }
  },
  'members of another type': (subject, dice) => {
    const write = writeOf(subject, dice)
    const value = dice.pick(['{}', '[1]', '1e999', '-1', 'null', 'true', '9'.repeat(400), '{"a":{"a":[]}}'])
    return { bytes: post(subject, write, write.sample.replaceAll(/:"[^"]*"/g, `:${value}`)) }
  },
  'a deep nesting': (subject, dice) => {
    const depth = 200 + dice.below(1500)
    const [open, close] = dice.pick([['[', ']'] as const, ['{"a":', '}'] as const, ['{"__proto__":[', ']}'] as const])
    return { bytes: post(subject, writeOf(subject, dice), `${open.repeat(depth)}1${close.repeat(depth)}`) }
  },
  'text that cannot be stored': (subject, dice) => {
    const write = writeOf(subject, dice)
    const text = dice.pick([String.raw`\u0000`, String.raw`\ud800`, '\xff\xfe', '\xc0\xaf', '\0', '\xed\xa0\x80'])
    return { bytes: post(subject, write, write.sample.replace(/"$|"(?=\W*$)/, `${text}"`)) }
  },
  'a member twice': (subject, dice) => {
    const write = writeOf(subject, dice)
    const name = /"(\w+)"/.exec(write.sample)?.[1] ?? 'a'
    return { bytes: post(subject, write, write.sample.replace(/\}$/, `,"${name}":{"__proto__":1}}`)) }
  },
  'an empty body': (subject, dice) => ({ bytes: post(subject, writeOf(subject, dice), '') }),
  'a body that is too large': (subject, dice) => {
    const write = writeOf(subject, dice)
    return { bytes: post(subject, write, ' '.repeat(write.maxBodyBytes + 1 + dice.below(5000))) }
  },
  'chunks that are too large together': (subject, dice) => {
    const write = writeOf(subject, dice)
    const chunk = `400\r\n${' '.repeat(1024)}\r\n`
    const body = chunk.repeat(Math.ceil(write.maxBodyBytes / 1024) + 1 + dice.below(4))
    return { bytes: chunked(subject, write, `${body}0\r\n\r\n`) }
  },
  'a size that is promised and not sent': (subject, dice) => {
    const write = writeOf(subject, dice)
    const length = `Content-Length: ${write.sample.length + 1 + dice.below(100)}`
    return { bytes: request(subject, write.method, write.path, [typeOf(write), length], write.sample) }
  },
  'a wrong media type': (subject, dice) => {
    const write = writeOf(subject, dice)
    const types = [
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'application/json; charset=latin1',
      ';',
      'a/b/c',
    ]
    return { bytes: post(subject, write, write.sample, [`Content-Type: ${dice.pick([...types, dice.text(9)])}`]) }
  },
  'an unknown encoding': (subject, dice) => {
    const write = writeOf(subject, dice)
    const encoding = dice.pick(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', dice.text(5)])
    return { bytes: post(subject, write, write.sample, [typeOf(write), `Content-Encoding: ${encoding}`]) }
  },
  'a wrong method': (subject, dice) => {
    const path = dice.pick([...subject.reads, ...subject.writes.map((write) => write.path)])
    const method = dice.pick(['PATCH', 'TRACE', 'OPTIONS', 'PROPFIND', 'PURGE', 'LINK', 'QUERY', 'M-SEARCH', 'LOCK'])
    return { bytes: request(subject, method, path, [], '') }
  },
  'a method that is none': (subject, dice) => ({
    bytes: request(
      subject,
      dice.pick(['GETT', 'get', 'P OST', '', 'G\0T', dice.text(6)]),
      readOf(subject, dice),
      [],
      '',
    ),
  }),
  'a tunnel': (subject) => ({ bytes: request(subject, 'CONNECT', 'internal.example:443', [], '') }),
  'a path with a broken escape': (subject, dice) => ({
    bytes: get(
      subject,
      readOf(subject, dice) + dice.pick(['%', '%z', '%zz', '%ff', '%c3', '%ED%A0%80', '/%00', '%u0041']),
    ),
  }),
  'a path with another spelling': (subject, dice) => {
    const path = readOf(subject, dice)
    const odd = [`/.${path}`, `${path}/..`, `${path}/%2e`, `/${path}`, `${path}//`, `${path}/`, `/x/..${path}`]
    return { bytes: get(subject, dice.pick([...odd, path.toUpperCase(), path.replace('/', '\\'), `${path}\xe9`])) }
  },
  'a path that is too long': (subject, dice) => ({
    bytes: get(subject, `${readOf(subject, dice)}/${'x'.repeat(2048 + dice.below(6000))}`),
  }),
  'a head that is too long': (subject, dice) => ({
    bytes: get(subject, readOf(subject, dice), [`X-Long: ${'x'.repeat(17_000 + dice.below(10_000))}`]),
  }),
  'a path to nothing': (subject, dice) => ({ bytes: get(subject, `/${dice.text(1 + dice.below(20))}`) }),
  'a token that is none': (subject, dice) => {
    const authorization = dice.pick(['', 'Bearer', 'Bearer ', 'Basic eDp5', `Bearer ${dice.text(40)}`, dice.text(10)])
    return { bytes: get({ ...subject, authorization }, readOf(subject, dice)) }
  },
  'a header line that is none': (subject, dice) => {
    const line = dice.pick([
      'no colon',
      ': no name',
      'a b: c',
      'a\0: b',
      'a: \0',
      ' folded: x',
      'Header : x',
      '\x7f: x',
    ])
    return { bytes: get(subject, readOf(subject, dice), [line]) }
  },
  'a length that is none': (subject, dice) => {
    const write = writeOf(subject, dice)
    const length = dice.pick(['-1', 'x', '1e3', '0x10', '99999999999999999999', '1, 2', '+5', '1 2'])
    return { bytes: request(subject, write.method, write.path, [typeOf(write), `Content-Length: ${length}`], '{}') }
  },
  'two hosts': (subject, dice) => ({
    bytes: get(subject, readOf(subject, dice), [`Host: ${dice.pick(['x', 'y.example'])}`]),
  }),
  'two lengths': (subject, dice) => {
    const write = writeOf(subject, dice)
    const second = dice.pick(['Content-Length: 9', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x, chunked, x'])
    return { bytes: request(subject, write.method, write.path, ['Content-Length: 2', second], '{}') }
  },
  'chunks that are none': (subject, dice) => {
    const chunks = [
      'zz\r\n{}\r\n0\r\n\r\n',
      '-2\r\n{}\r\n0\r\n\r\n',
      '2\r\n{}0\r\n\r\n',
      'ffffffffffffffffff\r\n{}',
      '2;\0\r\n{}',
    ]
    return { bytes: chunked(subject, writeOf(subject, dice), dice.pick([...chunks, dice.text(20), '5\r\n{}'])) }
  },
  'a version that is none': (subject, dice) => ({
    bytes: get(subject, readOf(subject, dice)).replace(
      'HTTP/1.1',
      dice.pick(['HTTP/9.9', 'HTTP/2.0', 'http/1.1', 'HTTPS', '']),
    ),
  }),
  'no host': (subject, dice) => ({ bytes: get(subject, readOf(subject, dice)).replace('Host: localhost\r\n', '') }),
  'bytes of another protocol': (_subject, dice) => {
    const hello = [
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'EHLO x\r\n',
      '*1\r\n$4\r\nPING\r\n',
    ]
    return { bytes: dice.pick([...hello, dice.bytes(1 + dice.below(200)), '\r\n\r\n\r\n\0']) }
  },
  'a request that stops in its head': (subject, dice) => {
    const whole = get(subject, readOf(subject, dice))
    return { bytes: whole.slice(0, 1 + dice.below(whole.length - 2)) }
  },
}

function readOf({ reads }: BadRequestSubject, dice: Dice): string {
  return dice.pick(reads)
}

function writeOf({ writes }: BadRequestSubject, dice: Dice): WriteRoute {
  return dice.pick(writes)
}

function typeOf({ type }: WriteRoute): string {
  return `Content-Type: ${type}`
}

function get(subject: BadRequestSubject, path: string, headers: readonly string[] = []): string {
  return request(subject, 'GET', path, headers, '')
}

function post(subject: BadRequestSubject, write: WriteRoute, body: string, headers = [typeOf(write)]): string {
  return request(subject, write.method, write.path, [...headers, `Content-Length: ${body.length}`], body)
}

function chunked(subject: BadRequestSubject, write: WriteRoute, chunks: string): string {
  return request(subject, write.method, write.path, [typeOf(write), 'Transfer-Encoding: chunked'], chunks)
}

function request(
  { authorization }: BadRequestSubject,
  method: string,
  path: string,
  headers: readonly string[],
  body: string,
): string {
  const head = ['Host: localhost', `Authorization: ${authorization}`, 'Connection: close', ...headers]
  return `${method} ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`
}
