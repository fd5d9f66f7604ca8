import type { ServerResponse } from 'node:http'

/** Ways not to answer 200 in time; numbers are statuses. */
const STATUSES = [
  201, 202, 204, 206, 301, 302, 307, 308, 400, 401, 403, 404, 408, 410, 413, 429, 500, 502, 503, 504,
] as const
const OTHERS = ['hang', 'late', 'reset', 'cut', 'drip', 'garbage', 'reset after 200'] as const
export type FailureMode = (typeof STATUSES)[number] | (typeof OTHERS)[number]
export const FAILURE_MODES: readonly FailureMode[] = [...STATUSES, ...OTHERS]

/** Longer than the ten seconds that the platform waits for a whole answer. */
const TOO_LATE_MS = 11_500
const DRIP_MS = 400
const HEAD = `HTTP/1.1 200 OK\r\nx-drip: ${'.'.repeat(200)}\r\ncontent-length: 0\r\n\r\n`

/** In two modes the receiver has taken the event, but the platform may not see its answer. */
export function outcomeOf(mode: FailureMode): 'unsure' | 'refused' {
  return mode === 'late' || mode === 'reset after 200' ? 'unsure' : 'refused'
}

export function failWith(mode: FailureMode, answer: ServerResponse): void {
  const { socket } = answer
  if (typeof mode === 'number') {
    answer.writeHead(mode, mode >= 300 && mode < 400 ? { location: 'http://127.0.0.1:1/elsewhere' } : {})
    answer.end()
    return
  }
  if (socket === null) return
  switch (mode) {
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
    case 'garbage':
      socket.write('220 mail.example ESMTP\r\n', () => socket.end())
      return
    case 'reset after 200':
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
