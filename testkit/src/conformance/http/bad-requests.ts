import { connect } from 'node:net'
import { errorCatalog } from '@sealpost/protocol'
import { describe, expect, test } from 'vitest'
import { type BadRequest, badRequests, type BadRequestSubject } from './bad-request-kinds.ts'

export interface BadRequestTarget extends BadRequestSubject {
  readonly url: string
}

const AT_ONCE = 16
const ANSWER_LIMIT_MS = 20_000

/**
 * Sends requests that are wrong in every way we know to a running server: each gets a refusal in the house shape, none a
 * 500, and the server goes on serving. `open` is called once the tests run.
 */
export function describeBadRequests(open: () => BadRequestTarget, { count = 5000, seed = 1 } = {}): void {
  describe('a malformed request of any kind', () => {
    test(`gets the house error body and never a 500: ${count} of them [ERR-01]`, async () => {
      const target = open()
      const isHealthy = async (): Promise<boolean> => {
        const answer = await fetch(target.url + target.reads[0], { headers: { authorization: target.authorization } })
        return answer.status === 200
      }
      // Known from now on, so that no gate has to wait for anything: Node hangs up on a caller that has finished sending
      // if the answer is not there yet.
      expect(await isHealthy()).toBe(true)
      const left = [...badRequests(target, count, seed)]
      let answered = 0
      const drive = async (): Promise<void> => {
        // Every driver takes from the one list.
        for (let request = left.pop(); request !== undefined; request = left.pop()) {
          checkAnswer(request, await ask(target.url, request))
          answered += 1
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, drive))
      expect(answered).toBe(count)
      expect(await isHealthy()).toBe(true)
    })
  })
}

const TRIES = 5

/**
 * Node hangs up without an answer on a caller that has finished sending while a gate waits, for instance for the guard's
 * lease on a busy machine. Such a request is sent again; a server that never answers it fails the test.
 */
async function ask(url: string, request: BadRequest): Promise<string> {
  let answer = ''
  for (let tries = 0; answer === '' && tries < TRIES; tries += 1) answer = await speak(url, request)
  return answer
}

/** The bytes as they are, on a connection of their own; answers everything until the server hung up. */
function speak(url: string, { bytes, kind }: BadRequest): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    const timer = setTimeout(() => {
      reject(new Error(`no answer to ${kind}: ${preview(bytes)}`))
      socket.destroy()
    }, ANSWER_LIMIT_MS)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => (answer += String(chunk)))
    // A server that refuses early may close while we are still sending: what it said before counts.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    socket.end(bytes, 'latin1')
  })
}

const STACK = /\n\s+at |node_modules|\.ts:\d+|FST_ERR|HPE_|SyntaxError|TypeError/

function checkAnswer(request: BadRequest, answer: string): void {
  const about = `${request.kind}: ${preview(request.bytes)}\n→ ${preview(answer)}`
  const head = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(answer)
  if (head === null) expect.fail(`no HTTP answer to ${about}`)
  const [, status = '', headers = '', body = ''] = head
  expect(Number(status), about).toBeLessThan(500)
  if (request.mustRefuse) expect(Number(status), about).toBeGreaterThanOrEqual(400)
  expect(headers, about).toMatch(/^x-request-id: [\w-]{1,64}$/im)
  expect(headers, about).toMatch(/^x-\w+-api-version: \d+$/im)
  expect(answer, about).not.toMatch(STACK)
  if (Number(status) < 400) return
  const key = keyOf(body)
  expect(key, about).not.toBeNull()
  expect(headers, about).toMatch(new RegExp(`^link: <https?://[^>]+/docs/errors#${key}>; rel="help"$`, 'im'))
}

/** The key of a refusal in the house shape, else null. */
function keyOf(text: string): string | null {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || !('error' in body) || !('error_key' in body)) return null
  const isHouse = typeof body.error === 'string' && body.error !== '' && String(body.error_key) in errorCatalog
  return isHouse ? String(body.error_key) : null
}

function preview(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text)
}
