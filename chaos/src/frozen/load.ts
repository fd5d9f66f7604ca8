import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import { askToken, type Calls, callsWith, northwind, tryLogIn } from '@sealpost/testkit'
import { createAccount, loginToken, openOperations } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import type { Seen, Tally } from './calls.ts'
import { type Creator, type Ledger, openCreator, openRenamer, type Renamer } from './ledger.ts'
import type { Site } from './site.ts'

/** Callers of every kind, each sending its next call after the answer to the last one. */
export interface Load {
  readonly renamers: readonly Renamer[]
  readonly creator: Creator
  end(): Promise<void>
}

/** More than the pool has connections, so that callers also wait for one. */
const RENAMERS = 6
const PAUSE_MS = 25
/** Logins cost two hashes, files an object. */
const COSTLY_PAUSE_MS = 100
const TOKEN_CALLERS = 6
const TOKEN_PAUSE_MS = 100
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAD0lEQVR4nGOoxwEYhpYEADfzX0Hh3xezAAAAAElFTkSuQmCC'

export async function startLoad(site: Site, creatorCount: number, tally: Tally, ledger: Ledger): Promise<Load> {
  const companies = await createCompanies(site, RENAMERS + creatorCount)
  const renamers = companies.slice(0, RENAMERS).map(({ call, name }) => openRenamer(ledger, tally, call, name))
  const creator = openCreator(
    ledger,
    tally,
    companies.slice(RENAMERS).map(({ call }) => call),
  )
  const [reader] = companies
  if (reader === undefined) throw new Error('no company to read with')
  const { id } = await requireOk(reader.call('POST', '/api/photos', { body: { file: PICTURE } }))
  const running = { is: true }
  const loop = async (step: () => Promise<unknown>, everyMs = PAUSE_MS): Promise<void> => {
    while (running.is) {
      await step()
      await pause(everyMs)
    }
  }
  const { installation } = site
  const loops = [
    ...renamers.map((renamer) => loop(() => renamer.step())),
    loop(() => creator.step()),
    loop(() => tally.judge('read', reader.call('GET', '/api/profile'))),
    ...Array.from({ length: TOKEN_CALLERS }, () =>
      loop(
        () => tally.judge('token', askToken(installation, northwind.clientId, northwind.clientSecret)),
        TOKEN_PAUSE_MS,
      ),
    ),
    loop(() => tally.judge('login', logIn(site)), COSTLY_PAUSE_MS),
    loop(() => tally.judge('file', readFile(reader, `/api/photos/${String(id)}/file`)), COSTLY_PAUSE_MS),
  ]
  return {
    renamers,
    creator,
    async end() {
      running.is = false
      await Promise.all(loops)
    },
  }
}

interface Company {
  readonly name: string
  readonly apiUrl: string
  readonly token: string
  readonly call: Calls
}

async function createCompanies({ installation }: Site, count: number): Promise<readonly Company[]> {
  const operations = await openOperations(installation, 'eu')
  const companies: Company[] = []
  try {
    for (let number = 1; number <= count; number += 1) {
      const [userId, name] = [systemIds().uuid<UserId>(), `company-${number}`]
      await createAccount(operations, { id: userId, userType: 'company', name })
      const token = await loginToken(installation, { userId, userType: 'company', region: 'eu' })
      const apiUrl = installation.eu.url
      companies.push({ name, apiUrl, token, call: callsWith(apiUrl, token) })
    }
  } finally {
    await operations.close()
  }
  return companies
}

async function logIn({ installation }: Site): Promise<Seen> {
  const { email, login } = northwind
  const { status, headers, body } = await tryLogIn(installation, { email, authVerifier: login.authVerifier })
  return { status, headers, text: JSON.stringify(body) }
}

/** Not by `Calls`, which read text. */
async function readFile({ apiUrl, token }: Company, path: string): Promise<Seen> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${apiUrl}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, text: Buffer.from(await answer.arrayBuffer()).toString() }
}
