import type { UserId } from '@sealpost/kernel'
import { recordAudit } from '../../../account/index.ts'
import { deleteEvidence, findService, nameOfService, type Service } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentName } from '../model.ts'
import { deleteDocumentIn } from './delete-document.ts'
import { deleteKeptDocument } from './delete-kept.ts'

/** By the company itself: also what was signed or accepted, once the service is deleted. */
export async function deleteInPortal(
  context: ServiceSideContext,
  actorId: UserId,
  service: Service,
  name: DocumentName,
): Promise<void> {
  const { companyId, id: serviceId } = service
  await context.database.transaction(async (tx) => {
    if ((await findService(tx, companyId, serviceId)) !== null) await deleteDocumentIn(context, tx, name)
    else await deleteEvidence(context.services, tx, nameOfService(service), () => deleteKeptDocument(context, tx, name))
    const at = context.clock.now()
    await recordAudit(tx, { companyId, actorId, action: 'portal_documents.delete', ref: name.id, serviceId, at })
  })
}
