import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { ServicesContext } from '../context.ts'
import type { ServiceName } from '../model.ts'
import { lockDeletedService } from '../store/deleted.ts'
import { isDeleting } from '../store/services.ts'
import { forgetService } from './jobs.ts'

/** Deletes a document or a run of a deleted service; with the last one the company's key goes, too. */
export async function deleteEvidence(
  { hooks }: Pick<ServicesContext, 'hooks'>,
  tx: Tx,
  service: ServiceName,
  remove: () => Promise<void>,
): Promise<void> {
  if (!(await lockDeletedService(tx, service))) throw refuse('services.not_found')
  await remove()
  // While the job of the deletion runs, it decides at its end.
  if ((await isDeleting(tx, service)) || (await hooks.hasEvidence(tx, service))) return
  await forgetService(tx, service)
}
