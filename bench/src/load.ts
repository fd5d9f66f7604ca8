import { Pool } from 'undici'

type Headers = Readonly<Record<string, string>>

export interface Load {
  readonly url: string
  /** The same for every request, or a function that makes them for each. */
  readonly headers: Headers | (() => Headers)
  readonly requests: number
  readonly connections: number
  /** With bodies, which are used in turn, the requests are POSTs. */
  readonly bodies?: readonly string[]
}

/** Sends the requests over keep-alive connections, each with one in flight; throws on anything but 200. */
export async function sendLoad({ url, headers, requests, connections, bodies }: Load): Promise<void> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const method = bodies === undefined ? 'GET' : 'POST'
  const headersOf = typeof headers === 'function' ? headers : () => headers
  let left = requests
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const sent = bodies?.[left % bodies.length] ?? null
      const { statusCode, body } = await pool.request({ method, path: pathname, headers: headersOf(), body: sent })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, worker))
  } finally {
    await pool.close()
  }
}
