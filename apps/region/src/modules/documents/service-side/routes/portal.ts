import {
  deletePortalDocument,
  listPortalDocuments,
  readPortalDocument,
  readPortalDocumentFile,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { Caller } from '../../../../platform/caller.ts'
import { sendDownload } from '../../../../platform/downloads.ts'
import { requireReadable } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { deleteInPortal } from '../operations/delete-in-portal.ts'
import { listDocuments, locateDocument, readDocument } from '../operations/read-documents.ts'
import { readFilter, requireFile } from './data.ts'

interface DocumentQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly docId: string }
}

/** For the company and its delegates, also of a deleted service: the same members as for its data client. */
export function bindPortalRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locate = async ({ caller, params }: DocumentQuestion) => {
    const service = await requireReadable(context.services, caller, params.id)
    return { service, document: await locateDocument(context, service.id, params.docId) }
  }
  bind({
    operation: listPortalDocuments,
    locate: ({ caller, params }) => requireReadable(context.services, caller, params.id),
    handle: ({ located: { id }, query }) => listDocuments(context, id, readFilter(query), query, filesOf(id)),
  })
  bind({
    operation: readPortalDocument,
    locate,
    handle: ({ located: { service, document } }) => readDocument(context, document, filesOf(service.id)),
  })
  bind({
    operation: readPortalDocumentFile,
    locate,
    async handle({ caller, located: { document } }) {
      const file = requireFile(document)
      return sendDownload(context, caller, file, file.mimeType)
    },
  })
  bind({
    operation: deletePortalDocument,
    locate,
    async handle({ caller, located: { service, document } }): Promise<undefined> {
      await deleteInPortal(context, caller.userId, service, document)
    },
  })
}

function filesOf(serviceId: string): string {
  return `/api/portal/services/${serviceId}/documents`
}
