import { Agent, request } from 'node:http'
import { startWorld, type World } from '@sealpost/testkit'
import { type Dice, openDice } from '@sealpost/testkit/dice'

export interface GuessRun {
  /** Calls by kind of caller and status; 0 counts connections that ended without an answer. */
  readonly statuses: Readonly<Record<string, number>>
  /** Guesses that learned whether a code exists: every status but 401, 403 and 429. */
  readonly answered: number
  /** The most that the limit allows: for each account, and what was in flight when it was reached. */
  readonly most: number
}

export interface GuessWish {
  readonly count: number
  readonly seed: number
  /** Connections of one kind of caller: refusals of one that asks at once are held back for a second. */
  readonly concurrency?: number
  readonly settings?: Readonly<Record<string, string>>
}

/** Addresses of this machine that the guesses come from. */
const ADDRESSES = Array.from({ length: 8 }, (_, at) => `127.0.0.${at + 2}`)
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** So many look-ups of one caller run at once in a process: see [Note: counted misses]. */
const IN_FLIGHT = 16
const MISSES_HOUR = 60
/** The limits that an operator gets who sets none; those of calls are high in a world of tests. */
const DEFAULTS = { RATE_MISSES_HOUR: String(MISSES_HOUR), INFLIGHT_CALLER: String(IN_FLIGHT) }

interface Guesser {
  readonly kind: string
  readonly url: string
  readonly token: string | null
  /** Whether its account has been seen before: all its clients are one caller. */
  readonly isOwnAccount: boolean
  readonly calls: readonly ((code: string) => Guess)[]
}

interface Guess {
  readonly method: string
  readonly path: string
  readonly body?: object
}

const readKey = (code: string): Guess => ({ method: 'GET', path: `/api/keys/${code}` })
const readServiceKey = (code: string): Guess => ({ method: 'GET', path: `/api/keys/${code}/${code}` })
const lookUp = (code: string): Guess => ({ method: 'GET', path: `/api/company-connections/lookup/${code}/${code}` })
const connect = (code: string): Guess => ({
  method: 'POST',
  path: '/api/company-connections',
  body: { code: `${code}/${code}`, decisions: [] },
})
const invite = (code: string): Guess => ({
  method: 'POST',
  path: '/api/company-data/connect-requests',
  body: { share_code: code },
})
const delegate = (code: string): Guess => ({
  method: 'POST',
  path: '/api/delegates',
  body: { share_code: code, role: 'admin', services: [] },
})

/** Guesses share codes by everything that takes one, with all kinds of callers, from several addresses. */
export async function runGuesses({ count, seed, concurrency = 40, settings = {} }: GuessWish): Promise<GuessRun> {
  const world = await startWorld({ ...DEFAULTS, ...settings })
  const agents = ADDRESSES.map((localAddress) => new Agent({ keepAlive: true, localAddress }))
  try {
    const { guessers, known } = await openGuessers(world)
    const statuses: Record<string, number> = {}
    let answered = 0
    const left = new Map(guessers.map(({ kind }) => [kind, Math.ceil(count / guessers.length)]))
    const work = async (guesser: Guesser, place: number): Promise<void> => {
      for (;;) {
        const index = left.get(guesser.kind) ?? 0
        if (index === 0) return
        left.set(guesser.kind, index - 1)
        const dice = openDice(seed * 1_000_003 + index * guessers.length + guessers.indexOf(guesser))
        const guess = guesser.calls[index % guesser.calls.length]?.(codeOf(dice, known))
        const agent = agents[(index + place) % agents.length]
        if (guess === undefined || agent === undefined) continue
        const status = await send(agent, guesser, guess)
        const name = `${guesser.kind} ${status}`
        statuses[name] = (statuses[name] ?? 0) + 1
        if (![0, 401, 403, 429].includes(status)) answered += 1
      }
    }
    const workers = guessers.flatMap((guesser) =>
      Array.from({ length: concurrency }, (_, place) => work(guesser, place)),
    )
    await Promise.all(workers)
    const accounts = guessers.filter(({ isOwnAccount }) => isOwnAccount).length
    return { statuses, answered, most: accounts * (MISSES_HOUR + IN_FLIGHT) }
  } finally {
    for (const agent of agents) agent.destroy()
    await world.close()
  }
}

/** One guess in a hundred is right: an empty bucket must hide that, too. */
function codeOf(dice: Dice, known: string): string {
  if (dice.below(100) === 0) return known
  return Array.from({ length: 6 }, () => LETTERS.charAt(dice.below(LETTERS.length))).join('')
}

async function openGuessers(world: World): Promise<{ guessers: readonly Guesser[]; known: string }> {
  const company = await world.company()
  const [person, found] = [await world.person(), await world.person()]
  const service = await world.service([{ slug: 'name' }], { company })
  const account = await company.accountClient(['customer_connections'])
  const client = await world.token(service.client)
  const guessers: readonly Guesser[] = [
    { kind: 'anonymous', url: person.apiUrl, token: null, isOwnAccount: false, calls: [readKey, lookUp, connect] },
    {
      kind: 'person',
      url: person.apiUrl,
      token: person.token,
      isOwnAccount: true,
      calls: [readKey, readServiceKey, lookUp, connect],
    },
    {
      kind: 'service client',
      url: company.apiUrl,
      token: client,
      isOwnAccount: true,
      calls: [readKey, readServiceKey, invite],
    },
    {
      kind: 'account client',
      url: company.apiUrl,
      token: account.token,
      isOwnAccount: false,
      calls: [readKey, lookUp, connect],
    },
    {
      kind: 'company user',
      url: company.apiUrl,
      token: company.token,
      isOwnAccount: false,
      calls: [readKey, readServiceKey, delegate],
    },
  ]
  return { guessers, known: found.shareCode }
}

function send(agent: Agent, { url, token }: Guesser, { method, path, body }: Guess): Promise<number> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve) => {
    const call = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
      answer.on('error', () => resolve(0))
    })
    call.on('error', () => resolve(0))
    call.end(text)
  })
}
