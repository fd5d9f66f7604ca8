import { CliError } from './terminal.ts'

export interface DoorCall {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** A form, or the members of a JSON document. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: Readonly<Record<string, unknown>>
}

export interface DoorAnswer {
  readonly isOk: boolean
  /** None when the answer is no JSON object. */
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

const LIMIT_MS = 30_000

/**
 * A call of the front door that the SDK does not make, for logins and checks. A redirect is refused: passwords, codes and
 * tokens go to the address that the user has named and to no other.
 */
export async function callFrontDoor(frontDoor: string, path: string, call: DoorCall = {}): Promise<DoorAnswer> {
  const { method = 'GET', headers = {}, form, json } = call
  const type: Readonly<Record<string, string>> = json === undefined ? {} : { 'content-type': 'application/json' }
  const body = json === undefined ? (form === undefined ? null : new URLSearchParams(form)) : JSON.stringify(json)
  const signal = AbortSignal.timeout(LIMIT_MS)
  const sent = { method, headers: { ...headers, ...type }, body, signal, redirect: 'manual' } as const
  try {
    // oxlint-disable-next-line sealpost/egress -- calls the front door that the user has named, as the SDK does
    const answer = await fetch(`${frontDoor}${path}`, sent)
    if (answer.status >= 300 && answer.status < 400) throw redirected(frontDoor)
    return { isOk: answer.ok, members: membersOf(await answer.text()), headers: answer.headers }
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(`${frontDoor} cannot be reached: check the address, the network, a proxy and the certificate`)
  }
}

function redirected(frontDoor: string): CliError {
  return new CliError(`${frontDoor} answers with a redirect, which is not followed: name the front door itself`)
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
