import { type Clock, createBoundedCache, type UserId } from '@sealpost/kernel'
import { sha256Of } from '@sealpost/objects'
import { refuse } from '@sealpost/protocol'
import { findAccountKeys, type FoundAccount } from '../../../account/index.ts'
import { findService, type ServiceName } from '../../../services/index.ts'
import type { CodeCache, ServiceSideContext } from '../context.ts'
import { listKeys } from '../store/connections.ts'

export interface PublishedKey {
  readonly publicKey: string
  readonly fingerprint: string
}

/** The key of a person, or of a company's account. */
export async function findKey(
  context: ServiceSideContext,
  shareCode: string,
): Promise<PublishedKey & { readonly account: FoundAccount; readonly shareCode: string }> {
  const code = normalise(shareCode)
  const account = await findCached(context, `account ${code}`, () => context.directory.findByShareCode(code))
  if (account === null || account.publicKey === null) throw refuse('keys.not_found')
  return { ...publish(account.publicKey), account, shareCode: code }
}

export async function findServiceKey(
  context: ServiceSideContext,
  companyCode: string,
  serviceCode: string,
): Promise<PublishedKey & { readonly serviceId: string }> {
  const [company, code] = [normalise(companyCode), normalise(serviceCode)]
  const found = await findCached(context, `service ${company}/${code}`, async () => {
    const account = await context.directory.findByShareCode(company)
    if (account?.userType !== 'company') return null
    const facts = await context.messages.askForFacts(account.region, account.userId, code)
    return facts === null ? null : { publicKey: facts.public_key, serviceId: facts.service_id }
  })
  if (found === null) throw refuse('keys.not_found')
  return { ...publish(found.publicKey), serviceId: found.serviceId }
}

const CACHED_MS = 180_000

export function createCodeCache(clock: Clock): CodeCache {
  return createBoundedCache({ most: 10_000, expiry: { keepMs: CACHED_MS, now: () => clock.now() } })
}

async function findCached<T extends object>(
  { codes, clock }: ServiceSideContext,
  question: string,
  ask: () => Promise<T | null>,
): Promise<T | null> {
  const known = codes.get(question)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the question determines the type of its answer
  if (known !== undefined) return known as T
  const askedAt = clock.now()
  const answer = await ask()
  // Counted from the ask: the answer may be as old as that.
  if (answer === null) codes.delete(question)
  else codes.set(question, answer, askedAt + CACHED_MS - clock.now())
  return answer
}

/** The keys of the users among these that are connected to the service or bound in its runs; its own key by the id of its company. */
export function listServiceKeys(
  { database, hooks }: ServiceSideContext,
  { companyId, serviceId }: ServiceName,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  return database.read(async (read) => {
    const found = await listKeys(read, serviceId, users)
    const bound = await hooks.listRunKeys(read, { serviceId }, users)
    const own = users.includes(companyId) ? await findService(read, companyId, serviceId) : null
    return new Map([
      ...bound,
      ...found.map(({ customerId, publicKey }) => [customerId, publicKey] as const),
      ...(own === null ? [] : [[companyId, own.publicKey] as const]),
    ])
  })
}

/** The keys of the companies among these that the account is a customer of, of parties of its runs, and its own. */
export function listAccountKeys(
  { database, hooks, listCompanyKeys }: ServiceSideContext,
  accountId: UserId,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  return database.read(async (read) => {
    const bound = await hooks.listRunKeys(read, { accountId }, users)
    const found = new Map([...bound, ...(await listCompanyKeys(read, accountId, users))])
    const own = users.includes(accountId) ? await findAccountKeys(read, accountId) : null
    return own === null || own.publicKey === null ? found : new Map([...found, [accountId, own.publicKey]])
  })
}

function publish(publicKey: string): PublishedKey {
  return { publicKey, fingerprint: sha256Of(Buffer.from(publicKey, 'base64')) }
}

function normalise(code: string): string {
  return code.trim().toUpperCase()
}
