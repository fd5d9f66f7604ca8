import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CliError, type Terminal } from '../terminal.ts'
import { CLIENT_ID, type CodeToRedeem } from './tokens.ts'

/** The page shows the code instead of redirecting. */
const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'
const LIMIT_MINUTES = 10

/** Lets the user sign in in a browser on this machine; the page hands the code to a server that runs until then. */
export async function authorizeInBrowser(terminal: Terminal, frontDoor: string): Promise<CodeToRedeem> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  try {
    const request = newRequest(frontDoor, `http://127.0.0.1:${portOf(server)}/callback`)
    const isOpened = await terminal.openBrowser(request.url)
    terminal.log(isOpened ? 'sign in in the browser; if no page has opened, open this address:' : 'open this address:')
    terminal.log(`  ${request.url}`)
    terminal.log('no browser on this machine? Ctrl-C, then sealpost login --no-browser')
    const limit = AbortSignal.timeout(LIMIT_MINUTES * 60_000)
    const signal = AbortSignal.any([limit, terminal.untilInterrupted()])
    return { ...request, code: await codeAt(server, request, frontDoor, signal) }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** For a machine without a browser: the user signs in elsewhere and types the code here. */
export async function authorizeElsewhere(terminal: Terminal, frontDoor: string): Promise<CodeToRedeem> {
  const request = newRequest(frontDoor, OUT_OF_BAND)
  terminal.log('open this address in a browser on any machine and sign in:')
  terminal.log(`  ${request.url}`)
  const code = (await terminal.ask('Code that the page shows: ')).trim()
  if (code === '') throw new CliError('no code was given, so nothing has changed')
  return { ...request, code }
}

interface AuthorizeRequest {
  readonly url: string
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

function newRequest(frontDoor: string, redirectUri: string): AuthorizeRequest {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')]
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { url: `${frontDoor}/oauth2/authorize?${query.toString()}`, state, verifier, redirectUri }
}

/** Answers the browser; a call without the state of this login, by another page or program, changes nothing. */
function codeAt(server: Server, { state }: AuthorizeRequest, frontDoor: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  server.on('request', (incoming, response) => {
    const answer = answerOf(incoming, state, frontDoor)
    const [status, sentence] = answer === null ? [404, 'Not found'] : [200, sentenceOf(answer)]
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(`<!doctype html><title>sealpost</title><p>${sentence}</p>`, () => {
      if (answer === null) return
      if (answer.code === null) reject(new CliError(`the sign-in was refused: ${answer.problem}`))
      else resolve(answer.code)
    })
  })
  signal.addEventListener(
    'abort',
    () => reject(new CliError('the sign-in has not been completed, so nothing has changed')),
    {
      once: true,
    },
  )
  return promise
}

interface CallbackAnswer {
  readonly code: string | null
  readonly problem: string
}

function answerOf({ method, url = '' }: IncomingMessage, state: string, frontDoor: string): CallbackAnswer | null {
  const { pathname, searchParams: answer } = new URL(url, 'http://127.0.0.1')
  if (method !== 'GET' || pathname !== '/callback' || answer.get('state') !== state) return null
  const code = answer.get('code')
  // RFC 9207: a code of another server must not be sent to this one.
  const issuer = answer.get('iss') ?? ''
  if (code !== null && !(URL.canParse(issuer) && new URL(issuer).origin === new URL(frontDoor).origin)) {
    return { code: null, problem: `the answer came from ${issuer === '' ? 'an unnamed server' : issuer}` }
  }
  return { code, problem: answer.get('error_description') ?? answer.get('error') ?? 'without a reason' }
}

function sentenceOf({ code }: CallbackAnswer): string {
  return code === null
    ? 'The sign-in was refused. The terminal says why.'
    : 'You are signed in. Close this window and go on in the terminal.'
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
