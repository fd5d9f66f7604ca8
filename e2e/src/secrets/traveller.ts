import { request } from 'node:http'
import { APP_ORIGIN, type Installation, mergeCookies, type Told } from '@sealpost/testkit'
import type { Safe } from './safe.ts'
import type { Witness } from './witness.ts'

/** Who makes the journey: sends calls exactly as told, and has the witness note each answer. */
export interface Traveller {
  readonly installation: Installation
  readonly safe: Safe
  readonly send: (url: string, parcel?: Parcel) => Promise<Told>
}

export interface Parcel {
  /** GET unless told, or POST where there is a body. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly bearer?: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly text?: string
  /** The browser's; what the answer sets is put there. */
  readonly jar?: Jar
  /** The answer gives out a secret, as it must; it is then not searched. */
  readonly givesSecret?: boolean
  /** What the answer must be; whatever it is unless told. */
  readonly expect?: number
}

export interface Jar {
  cookies: readonly string[]
}

export function createTraveller(witness: Witness, safe: Safe): Traveller {
  return {
    installation: witness.installation,
    safe,
    async send(url, parcel = {}) {
      const method = parcel.method ?? (contentOf(parcel) === null ? 'GET' : 'POST')
      const { told, text } = await exchange(url, method, parcel)
      if (parcel.jar !== undefined) parcel.jar.cookies = mergeCookies(parcel.jar.cookies, told.setCookies)
      // Long parts of a path may be what is looked for, and findings are printed.
      const path = new URL(url).pathname.replaceAll(/[^/]{25,}/g, '…')
      const place = `the answer (${told.status}) to ${method} ${path}`
      if (parcel.givesSecret !== true) witness.note({ place, content: `${JSON.stringify([...told.headers])}\n${text}` })
      if (parcel.expect !== undefined && told.status !== parcel.expect)
        throw new Error(`${place}: expected ${parcel.expect}, was told ${text}`)
      return told
    },
  }
}

function exchange(url: string, method: string, parcel: Parcel): Promise<{ told: Told; text: string }> {
  const content = contentOf(parcel)
  const headers = {
    ...(parcel.jar === undefined ? {} : { origin: APP_ORIGIN }),
    ...(parcel.jar === undefined || parcel.jar.cookies.length === 0 ? {} : { cookie: parcel.jar.cookies.join('; ') }),
    ...(parcel.bearer === undefined ? {} : { authorization: `Bearer ${parcel.bearer}` }),
    ...(content === null ? {} : { 'content-type': content.type, 'content-length': Buffer.byteLength(content.text) }),
    ...parcel.headers,
  }
  const { promise, resolve, reject } = Promise.withResolvers<{ told: Told; text: string }>()
  const { hostname, port } = new URL(url)
  // The path as it was written: a URL would tidy it up.
  const path = url.slice(url.indexOf('/', 'http://'.length))
  const sent = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
    answer.toArray().then((chunks) => {
      const text = Buffer.concat(chunks).toString()
      const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const setCookies = answer.headers['set-cookie'] ?? []
      resolve({
        told: { status: answer.statusCode ?? 0, headers: new Headers(pairs), body: readObject(text), setCookies },
        text,
      })
    }, reject)
  })
  sent.on('error', reject).end(content?.text)
  return promise
}

function contentOf({ json, form, text, headers }: Parcel): { type: string; text: string } | null {
  if (text !== undefined) return { type: headers?.['content-type'] ?? 'application/json', text }
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() }
  return json === undefined ? null : { type: 'application/json', text: JSON.stringify(json) }
}

function readObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
