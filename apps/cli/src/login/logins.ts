import { join } from 'node:path'
import type { LineStore } from '@sealpost/sdk'
import { fileStore } from '@sealpost/sdk/file-store'
import { CliError, type Terminal } from '../terminal.ts'

/** A login of a company user at a front door. */
export interface Login {
  readonly front_door: string
  /** Of the company. */
  readonly account_id: string
  /** Rotates with each renewal; a used one ends the login. */
  readonly refresh_token: string
  readonly access_token: string
  readonly api_url: string
  readonly expires_at: number
  readonly logged_in_at: number
}

/** The logins of this machine's user: one line each, in a folder and a file that only the user can read. */
export interface Logins {
  readonly list: () => Promise<readonly Login[]>
  readonly find: (frontDoor: string) => Promise<Login | null>
  /** One process at a time changes a login: a refresh token that two processes used would end it. Null removes the login. */
  readonly change: (frontDoor: string, next: (present: Login | null) => Promise<Login | null>) => Promise<Login | null>
}

const TRY_AGAIN_MS = 100
const TRIES = 300

export function openLogins(terminal: Pick<Terminal, 'homeFolder' | 'wait'>): Logins {
  const store = fileStore(join(terminal.homeFolder, '.config/sealpost/login'))
  const list = async (): Promise<readonly Login[]> => (await store.read()).flatMap(loginOf)
  const find = async (frontDoor: string): Promise<Login | null> =>
    (await list()).find((login) => login.front_door === frontDoor) ?? null
  return {
    list,
    find,
    async change(frontDoor, next) {
      const hold = await acquire(terminal, store)
      try {
        const others = (await list()).filter((login) => login.front_door !== frontDoor)
        const login = await next(await find(frontDoor))
        await hold.replace([...others, ...(login === null ? [] : [login])].map((each) => JSON.stringify(each)))
        return login
      } finally {
        await hold.release()
      }
    },
  }
}

async function acquire({ wait }: Pick<Terminal, 'wait'>, store: LineStore) {
  for (let tries = 1; ; tries += 1) {
    const taken = await store.acquire()
    if ('hold' in taken) return taken.hold
    if (tries === TRIES) throw new CliError(`the login is in use by ${taken.heldBy}; try again when it has ended`)
    await wait(TRY_AGAIN_MS, new AbortController().signal)
  }
}

/** A line that is not a login, after a torn write, counts as none: the user logs in again. */
function loginOf(line: string): readonly Login[] {
  try {
    const parsed: unknown = JSON.parse(line)
    return isLogin(parsed) ? [parsed] : []
  } catch {
    return []
  }
}

const TEXTS = ['front_door', 'account_id', 'refresh_token', 'access_token', 'api_url'] as const
const NUMBERS = ['expires_at', 'logged_in_at'] as const

function isLogin(value: unknown): value is Login {
  if (typeof value !== 'object' || value === null) return false
  const members: Readonly<Record<string, unknown>> = { ...value }
  return (
    TEXTS.every((name) => typeof members[name] === 'string') &&
    NUMBERS.every((name) => typeof members[name] === 'number')
  )
}
