import type { ServerResponse } from 'node:http'

/** Ways not to answer with 200 in time; numbers are statuses. */
const STATUSES = [
  201, 202, 204, 206, 301, 302, 307, 308, 400, 401, 403, 404, 408, 410, 413, 429, 500, 502, 503, 504,
] as const
const WAYS = ['hang', 'late', 'reset', 'cut', 'drip', 'nonsense', 'unheard'] as const
export type Trouble = (typeof STATUSES)[number] | (typeof WAYS)[number]
export const TROUBLES: readonly Trouble[] = [...STATUSES, ...WAYS]

/** The platform waits ten seconds for a whole answer. */
const TOO_LATE_MS = 11_500
const DRIP_MS = 400
const HEAD = `HTTP/1.1 200 OK\r\nx-drip: ${'.'.repeat(200)}\r\ncontent-length: 0\r\n\r\n`

/** What the receiver makes of the event: only these two have taken it, without knowing whether the platform will hear of it. */
export function outcomeOf(trouble: Trouble): 'unsure' | 'refused' {
  return trouble === 'late' || trouble === 'unheard' ? 'unsure' : 'refused'
}

export function makeTrouble(trouble: Trouble, answer: ServerResponse): void {
  const { socket } = answer
  if (typeof trouble === 'number') {
    answer.writeHead(trouble, trouble >= 300 && trouble < 400 ? { location: 'http://127.0.0.1:1/elsewhere' } : {})
    answer.end()
    return
  }
  if (socket === null) return
  switch (trouble) {
    case 'hang':
      return
    case 'late':
      setTimeout(() => (socket.destroyed ? null : answer.end()), TOO_LATE_MS).unref()
      return
    case 'reset':
      socket.resetAndDestroy()
      return
    case 'cut':
      socket.write('HTTP/1.1 200 O', () => socket.destroy())
      return
    case 'nonsense':
      socket.write('220 mail.example ESMTP\r\n', () => socket.end())
      return
    case 'unheard':
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      socket.resetAndDestroy()
      return
    case 'drip': {
      let written = 0
      const dripping = setInterval(() => {
        if (socket.destroyed || written >= HEAD.length) clearInterval(dripping)
        else socket.write(HEAD.slice(written, (written += 1)))
      }, DRIP_MS).unref()
    }
  }
}
