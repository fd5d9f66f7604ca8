import { createCryptoPlatform, isPassphraseWrap, isPublicKey } from '@sealpost/crypto'
import { formatInstant, type ServiceId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import { holdAccount } from '../account/index.ts'
import { type Act, type Actor, recordAct } from './acting.ts'
import type { ServicesNeeds } from './needs.ts'
import { sliceById } from './paging.ts'
import { readAdminEmail } from './rules/admin-email.ts'
import { isShareCode, presetCode } from './rules/share-code.ts'
import type { Audience, Progress, Service, ServiceKeys, ServiceName } from './service.ts'
import { readProgress } from './store/jobs.ts'
import {
  changeCount,
  countServices,
  findService,
  type InsertedService,
  insertService,
  isKeyTaken,
  listCodes,
  listServices as listRows,
  lockService,
  updateService,
} from './store/services.ts'

const platform = createCryptoPlatform(globalThis)

export interface ServiceShown {
  readonly id: string
  readonly name: string
  readonly share_code: string
  readonly admin_email: string
  readonly audience: Audience
  readonly number_matching: boolean
  readonly require_2fa: boolean
  readonly public_key: string
  readonly created_at: string
  readonly state: 'active' | 'applying'
  readonly progress?: { done: number; total: number }
}

export interface NewServiceBody {
  readonly name: string
  readonly admin_email?: unknown
  readonly public_key?: unknown
  readonly encrypted_private_key?: unknown
  readonly share_code?: unknown
  readonly audience?: Audience
}

export async function makeService(
  needs: ServicesNeeds,
  actor: Actor,
  body: NewServiceBody,
  storeAnswer: (tx: Tx, answer: ServiceShown) => Promise<void>,
): Promise<ServiceShown> {
  const { companyId } = actor
  const adminEmail = demandEmail(body.admin_email)
  const keys = demandKeys(body)
  const wantedCode = body.share_code === undefined || body.share_code === null ? null : demandCode(body.share_code)
  return needs.database.transaction(async (tx) => {
    if (!(await holdAccount(tx, companyId))) throw refuse('auth.token_invalid')
    const id = needs.ids.uuid<ServiceId>()
    const wanted = { companyId, id, name: body.name, adminEmail, audience: body.audience ?? 'both', ...keys } as const
    const service = await insertFresh(needs, tx, { ...wanted, shareCode: wantedCode })
    await recordAct(tx, needs, actor, id, { action: 'services.create', message: 'The service was made' })
    const answer = showService(service, null)
    await storeAnswer(tx, answer)
    return answer
  })
}

/** For seeds, with ids and keys that are known beforehand. */
export interface NewService extends ServiceKeys {
  readonly companyId: Service['companyId']
  readonly id: ServiceId
  readonly name: string
  readonly adminEmail: string
  /** From the name when left out. */
  readonly shareCode?: string
  readonly audience?: Audience
}

/** Putting the same service twice changes nothing. */
export async function createService(
  needs: Pick<ServicesNeeds, 'database' | 'clock'>,
  { shareCode = null, audience = 'both', ...service }: Omit<NewService, 'shareCode'> & { shareCode?: string | null },
): Promise<void> {
  await needs.database.transaction(async (tx) => {
    if ((await findService(tx, service.companyId, service.id)) !== null) return
    await insertFresh(needs, tx, { ...service, shareCode, audience })
  })
}

type Fresh = Omit<InsertedService, 'shareCode' | 'numberMatching' | 'require2fa' | 'rev' | 'createdAt'>

async function insertFresh(
  { clock }: Pick<ServicesNeeds, 'clock'>,
  tx: Tx,
  { shareCode: wanted, ...fresh }: Fresh & { readonly shareCode: string | null },
): Promise<InsertedService> {
  // First: it lets one maker in at a time, so that codes and keys are not given twice.
  await changeCount(tx, fresh.companyId, 1)
  if (await isKeyTaken(tx, fresh.companyId, fresh.publicKey)) {
    throw refuse('services.key_invalid', undefined, { sentence: 'Another of your services has this public key' })
  }
  const taken = await listCodes(tx, fresh.companyId)
  if (wanted !== null && taken.includes(wanted)) throw refuse('services.share_code_taken')
  const shareCode = wanted ?? presetCode(fresh.name, taken)
  const now = clock.now()
  const service = { ...fresh, shareCode, numberMatching: false, require2fa: false, rev: now, createdAt: now }
  if (!(await insertService(tx, service))) throw new Error('a service with this id exists')
  return service
}

export async function listServices(
  { database }: Pick<ServicesNeeds, 'database'>,
  {
    accountId,
    services: only,
  }: { readonly accountId: Actor['companyId']; readonly services: readonly ServiceId[] | null },
  query: PageQueryText,
) {
  const slice = sliceById(query)
  return database.read(async (read) => {
    const rows = await listRows(read, accountId, only, { ...slice, limit: slice.limit + 1 })
    const page = rows.slice(0, slice.limit)
    const hasMore = rows.length > slice.limit
    const seen = slice.offset + page.length + (hasMore ? 1 : 0)
    const progress = await readProgress(
      read,
      accountId,
      page.map(({ id }) => id),
    )
    return {
      total: only === null ? await countServices(read, accountId) : seen,
      items: page.map((service) => showService(service, progress.get(service.id) ?? null)),
      next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    }
  })
}

export async function showCurrent(read: Read, service: Service): Promise<ServiceShown> {
  const progress = await readProgress(read, service.companyId, [service.id])
  return showService(service, progress.get(service.id) ?? null)
}

/** What of it a call may change; absent stays. */
export interface ServiceChange {
  readonly name?: string | undefined
  readonly audience?: Audience | undefined
  readonly shareCode?: string
  readonly adminEmail?: string
  readonly numberMatching?: boolean
  readonly require2fa?: boolean
}

export async function changeService(
  needs: ServicesNeeds,
  actor: Actor,
  { companyId, serviceId }: ServiceName,
  change: ServiceChange,
  act: Act,
): Promise<ServiceShown> {
  return needs.database.transaction(async (tx) => {
    const before = await lockService(tx, companyId, serviceId)
    if (before === null) throw refuse('services.not_found')
    const after = { ...before, ...withoutAbsent(change) }
    const isSame = Object.entries(after).every(([member, value]) => Reflect.get(before, member) === value)
    if (isSame) return showCurrent(tx, before)
    // Codes are given to one service at a time; see `insertFresh`.
    if (after.shareCode !== before.shareCode) await changeCount(tx, companyId, 0)
    const isPublic =
      after.name !== before.name || after.audience !== before.audience || after.shareCode !== before.shareCode
    // See [Note: numbers by time].
    const rev = isPublic ? Math.max(before.rev + 1, needs.clock.now()) : before.rev
    const isDone = await updateService(tx, { companyId, serviceId }, { ...after, rev })
    if (!isDone) throw refuse('services.share_code_taken')
    await recordAct(tx, needs, actor, serviceId, act)
    if (isPublic) for (const hook of needs.hooks.onFactsChanged) await hook(tx, { companyId, serviceId })
    return showCurrent(tx, { ...after, rev })
  })
}

export function demandCode(value: unknown): string {
  if (!isShareCode(value)) throw refuse('services.share_code_invalid')
  return value
}

export function demandEmail(value: unknown): string {
  const address = readAdminEmail(value)
  if (address === null) throw refuse('services.admin_email_invalid')
  return address
}

function demandKeys({ public_key: publicKey, encrypted_private_key: wrap }: NewServiceBody): ServiceKeys {
  if (!isPublicKey(platform, publicKey) || !isPassphraseWrap(platform, wrap)) throw refuse('services.key_invalid')
  return { publicKey, encryptedPrivateKey: wrap }
}

function showService(service: Service, progress: Progress | null): ServiceShown {
  return {
    id: service.id,
    name: service.name,
    share_code: service.shareCode,
    admin_email: service.adminEmail,
    audience: service.audience,
    number_matching: service.numberMatching,
    require_2fa: service.require2fa,
    public_key: service.publicKey,
    created_at: formatInstant(service.createdAt),
    ...(progress === null ? { state: 'active' } : { state: 'applying', progress: bounded(progress) }),
  }
}

/** A connection that was made meanwhile is looked at as well. */
function bounded({ done, total }: Progress): { done: number; total: number } {
  return { done, total: Math.max(done, total) }
}

function withoutAbsent(change: ServiceChange): Partial<Service> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
