import type { SdkEvent, ServiceClientOptions } from '../src/options.ts'
import { type Received, type Reply, type StubServer, startServer } from './stub-server.ts'

export const CLIENT_ID = 'svc_AbCdEfGhIjKlMnOpQrStUvWx'
export const CLIENT_SECRET = 'sKx0V8mPqLr3TzWn5BdYc7GhJf1Ae9UoIi2Ev4Ry6Nt'
export const WHO = {
  company_user_id: '01980000-0000-7000-8000-000000000001',
  service_id: '01980000-0000-7000-8000-000000000002',
}

/** Answers `token-1`, `token-2`, … and the region's address. */
export function startFrontDoor(apiUrl: () => string, expiresInSeconds = 3600): Promise<StubServer> {
  return startServer((_, count) => ({
    status: 200,
    json: {
      token_type: 'Bearer',
      access_token: `token-${count}`,
      expires_in: expiresInSeconds,
      api_url: apiUrl(),
    },
  }))
}

export function startRegion(reply: (received: Received, count: number) => Reply = () => iAm()): Promise<StubServer> {
  return startServer(reply)
}

export function iAm(): Reply {
  return { status: 200, json: WHO }
}

export function refusal(
  status: number,
  key: string,
  details: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return { status, json: { error: 'A sentence', error_key: key, ...details }, headers }
}

/** The last reply is repeated. */
export function inTurn(...replies: readonly Reply[]): (received: Received, count: number) => Reply {
  return (_, count) => replies[Math.min(count, replies.length) - 1] ?? { status: 500 }
}

/** A clock that only waits move. */
export function fakeTime(): {
  readonly clock: { now(): number }
  readonly wait: (ms: number) => Promise<void>
  readonly waitedSeconds: readonly number[]
  pass(seconds: number): void
} {
  let nowMs = Date.UTC(2026, 4, 1)
  const waitedSeconds: number[] = []
  return {
    clock: { now: () => nowMs },
    wait: (ms) => {
      waitedSeconds.push(ms / 1000)
      nowMs += ms
      return Promise.resolve()
    },
    waitedSeconds,
    pass: (seconds) => {
      nowMs += seconds * 1000
    },
  }
}

export function optionsFor(
  frontDoor: StubServer,
  more: Partial<ServiceClientOptions> = {},
): ServiceClientOptions & { readonly events: readonly SdkEvent[] } {
  const events: SdkEvent[] = []
  const log = (event: SdkEvent): void => void events.push(event)
  return { frontDoorUrl: frontDoor.url, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, log, events, ...more }
}

export function tokensSent(server: StubServer): readonly (string | undefined)[] {
  return server.received.map(({ headers }) => headers['authorization'])
}
