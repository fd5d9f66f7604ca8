/** A secret in every form in which it could be written. */
export interface Needle {
  readonly name: string
  readonly forms: readonly Form[]
}

interface Form {
  readonly as: string
  readonly bytes: Buffer
}

/** Shorter texts occur by chance; see `digitsNeedle` for codes. */
const SHORTEST = 8

/** The secret itself, and as hex, base64, percent-encoded and JSON text; each also inside a longer text. */
export function needle(name: string, secret: string | Uint8Array): Needle {
  const bytes = Buffer.from(secret)
  if (bytes.length < SHORTEST) throw new Error(`${name} is too short: it could occur by chance`)
  const forms = [
    { as: 'itself', bytes },
    { as: 'hex', bytes: Buffer.from(bytes.toString('hex')) },
    { as: 'hex', bytes: Buffer.from(bytes.toString('hex').toUpperCase()) },
    ...base64Parts(bytes, 'base64'),
    ...base64Parts(bytes, 'base64url'),
    ...(typeof secret === 'string' ? textForms(secret) : []),
  ]
  const known = new Set<string>()
  return {
    name,
    forms: forms.filter((form) => {
      const text = form.bytes.toString('latin1')
      return !known.has(text) && known.add(text)
    }),
  }
}

/** A token of dot-separated parts; each long part is a secret. */
export function tokenNeedles(name: string, token: string): readonly Needle[] {
  return token
    .split('.')
    .filter((part) => part.length > 30)
    .map((part, index) => needle(`${name}, part ${index + 1}`, part))
}

/** Six digits, standing alone: in `12:30:01.123456` or a long number they mean nothing. */
export function digitsNeedle(name: string, digits: string): DigitsNeedle {
  return { name, pattern: new RegExp(`(?<![0-9A-Za-z.:_+-])${digits}(?![0-9A-Za-z.:_-])`) }
}

export interface DigitsNeedle {
  readonly name: string
  readonly pattern: RegExp
}

/** The base64 of the middle of the secret at all three offsets: the characters that depend on the secret alone. */
function base64Parts(bytes: Buffer, encoding: 'base64' | 'base64url'): readonly Form[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(encoding)
      .replaceAll('=', '')
    const first = before === 0 ? 0 : before + 1
    // The last characters also encode the bytes that follow.
    return { as: encoding, bytes: Buffer.from(whole.slice(first, whole.length - 2)) }
  })
}

function textForms(secret: string): readonly Form[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    { as: 'JSON', bytes: Buffer.from(json) },
    { as: 'JSON in JSON', bytes: Buffer.from(JSON.stringify(json).slice(1, -1)) },
    { as: 'percent-encoded', bytes: Buffer.from(encodeURIComponent(secret)) },
    { as: 'UTF-16', bytes: Buffer.from(secret, 'utf16le') },
  ]
}
