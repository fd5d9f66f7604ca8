import type { Read } from '@sealpost/postgres'
import { type PageQueryText, refuse } from '@sealpost/protocol'
import type { Caller } from '../../../platform/caller.ts'
import { listPage, type Slice } from '../../../platform/page.ts'
import { findDelegateKey } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import { type DeletedService, nameOfService, type Progress, type Service } from '../model.ts'
import { findDeletedPrivateKey, listDeletedRows } from '../store/deleted.ts'
import { countServices, findPrivateKey, listServiceRows } from '../store/services.ts'
import { deletedToWire, serviceToWire, type WirePrivateKey, type WireService } from '../wire.ts'
import { removeRowsJob } from './jobs.ts'

interface ListedService {
  readonly service: Service
  readonly progress: Progress | null
}

const list = {
  name: 'services',
  idOf: ({ service }: ListedService) => service.id,
  toWire: ({ service, progress }: ListedService) => serviceToWire(service, progress),
}

/** A delegate lists only the services it has access to; their total is not counted. */
export async function listServices(
  { database, jobs }: Pick<ServicesContext, 'database' | 'jobs'>,
  { accountId, services: only }: Pick<Caller, 'accountId' | 'services'>,
  query: PageQueryText,
) {
  const load = async (read: Read, slice: Slice): Promise<readonly ListedService[]> => {
    const rows = await listServiceRows(read, accountId, only, slice)
    const ids = rows.map(({ id }) => id)
    const progress = await jobs.progress(read, removeRowsJob, accountId, ids)
    return rows.map((service) => ({ service, progress: progress.get(service.id) ?? null }))
  }
  return listPage(
    list,
    query,
    (slice) => database.read((read) => load(read, slice)),
    only === null ? () => database.read((read) => countServices(read, accountId)) : undefined,
  )
}

const deletedList = {
  name: 'services.deleted',
  idOf: ({ id }: DeletedService) => id,
  toWire: deletedToWire,
}

/** Those of which the company keeps documents or runs. Delegates have access to none. */
export async function listDeletedServices(
  { database }: Pick<ServicesContext, 'database'>,
  { accountId, services: only }: Pick<Caller, 'accountId' | 'services'>,
  query: PageQueryText,
) {
  return listPage(deletedList, query, (slice) => database.read((read) => listDeletedRows(read, accountId, only, slice)))
}

/** A service as the wire shows it now. */
export async function readWithProgress(
  { jobs }: Pick<ServicesContext, 'jobs'>,
  read: Read,
  service: Service,
): Promise<WireService> {
  const progress = await jobs.progress(read, removeRowsJob, service.companyId, [service.id])
  return serviceToWire(service, progress.get(service.id) ?? null)
}

/** The caller opens the key with the passphrase; a delegate gets the passphrase sealed to the delegate's own key. */
export async function readPrivateKey(
  { database }: Pick<ServicesContext, 'database'>,
  { kind, accountId, userId }: Pick<Caller, 'kind' | 'accountId' | 'userId'>,
  service: Service,
): Promise<WirePrivateKey> {
  return database.read(async (read) => {
    const name = nameOfService(service)
    const wrap = (await findPrivateKey(read, name)) ?? (await findDeletedPrivateKey(read, name))
    if (wrap === null) throw refuse('services.not_found')
    const sealed = kind === 'delegate' ? await findDelegateKey(read, accountId, userId, service.id) : null
    return { public_key: service.publicKey, encrypted_private_key: wrap, sealed_passphrase: sealed }
  })
}
