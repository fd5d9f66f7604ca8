import { createCryptoPlatform, isPassphraseWrap, isPublicKey } from '@sealpost/crypto'
import type { ServiceId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { lockAccountForShare } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor, Audience, Service, ServiceKeys } from '../model.ts'
import { requireAdminEmail } from '../rules/admin-email.ts'
import { presetCode, requireShareCode } from '../rules/share-code.ts'
import {
  changeCount,
  findService,
  type InsertedService,
  insertService,
  isKeyTaken,
  listCodes,
} from '../store/services.ts'
import { serviceToWire, type WireService } from '../wire.ts'
import { recordChange } from './record-change.ts'

const crypto = createCryptoPlatform(globalThis)

export interface ServiceBody {
  readonly name: string
  readonly admin_email?: unknown
  readonly public_key?: unknown
  readonly encrypted_private_key?: unknown
  readonly share_code?: unknown
  readonly audience?: Audience
}

export async function createService(services: ServicesContext, actor: Actor, body: ServiceBody): Promise<WireService> {
  const { companyId } = actor
  const adminEmail = requireAdminEmail(body.admin_email)
  const keys = requireKeys(body)
  const wantedCode =
    body.share_code === undefined || body.share_code === null ? null : requireShareCode(body.share_code)
  return services.database.transaction(async (tx) => {
    if (!(await lockAccountForShare(tx, companyId))) throw refuse('auth.token_invalid')
    const id = services.ids.uuid<ServiceId>()
    const wanted = { companyId, id, name: body.name, adminEmail, audience: body.audience ?? 'both', ...keys } as const
    const service = await insertFresh(services, tx, { ...wanted, shareCode: wantedCode })
    await recordChange(services, tx, actor, id, { action: 'services.create', message: 'The service was made' })
    const answer = serviceToWire(service, null)
    await tx.storeAnswer(answer)
    return answer
  })
}

function requireKeys({ public_key: publicKey, encrypted_private_key: wrap }: ServiceBody): ServiceKeys {
  if (!isPublicKey(crypto, publicKey) || !isPassphraseWrap(crypto, wrap)) throw refuse('services.key_invalid')
  return { publicKey, encryptedPrivateKey: wrap }
}

/** A service of a seed, with known id and keys. */
export interface NewService extends ServiceKeys {
  readonly companyId: Service['companyId']
  readonly id: ServiceId
  readonly name: string
  readonly adminEmail: string
  /** Absent: made from the name. */
  readonly shareCode?: string
  readonly audience?: Audience
}

/** Idempotent: an existing service stays as it is. */
export async function seedService(
  services: Pick<ServicesContext, 'database' | 'clock'>,
  { shareCode, audience = 'both', ...service }: NewService,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    if ((await findService(tx, service.companyId, service.id)) !== null) return
    await insertFresh(services, tx, { ...service, shareCode: shareCode ?? null, audience })
  })
}

type Fresh = Omit<InsertedService, 'shareCode' | 'numberMatching' | 'require2fa' | 'rev' | 'createdAt'>

async function insertFresh(
  { clock }: Pick<ServicesContext, 'clock'>,
  tx: Tx,
  { shareCode: wanted, ...fresh }: Fresh & { readonly shareCode: string | null },
): Promise<InsertedService> {
  // First: its row lock serialises creations of a company, so that codes and keys are not given twice.
  await changeCount(tx, fresh.companyId, 1)
  if (await isKeyTaken(tx, fresh.companyId, fresh.publicKey)) {
    throw refuse('services.key_invalid', undefined, { sentence: 'Another of your services has this public key' })
  }
  const taken = await listCodes(tx, fresh.companyId)
  if (wanted !== null && taken.includes(wanted)) throw refuse('services.share_code_taken')
  const shareCode = wanted ?? presetCode(fresh.name, taken)
  const now = clock.now()
  const service = { ...fresh, shareCode, numberMatching: false, require2fa: false, rev: now, createdAt: now }
  if (!(await insertService(tx, service))) throw new Error(`service ${fresh.id} exists already`)
  return service
}
