import { parseUuid } from '@sealpost/kernel'
import {
  changeDocument as changeDocumentRoute,
  createDocument as createDocumentRoute,
  deleteDocument as deleteDocumentRoute,
  type DocumentKind,
  type DocumentStatus,
  listDocuments as listDocumentsRoute,
  readDocument as readDocumentRoute,
  readDocumentFile,
  refuse,
  uploadDocumentFile,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import { type Caller, clientOf } from '../../../../platform/caller.ts'
import { sendDownload } from '../../../../platform/downloads.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { DocumentFilter, StoredDocument } from '../model.ts'
import { changeDocument } from '../operations/change-document.ts'
import { createDocument } from '../operations/create-document.ts'
import { deleteDocument } from '../operations/delete-document.ts'
import { listDocuments, locateDocument, readDocument } from '../operations/read-documents.ts'
import { uploadFile } from '../operations/upload-file.ts'

/** For the data client of a service. */
export function bindDataRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: createDocumentRoute,
    handle: ({ caller, body }) => createDocument(context, serviceOf(caller), body),
  })
  bind({
    operation: listDocumentsRoute,
    handle: ({ caller, query }) => listDocuments(context, serviceOf(caller).serviceId, readFilter(query), query),
  })
  bindDocument(bind, context)
  bindFile(bind, context)
}

function bindDocument(bind: BindRoute, context: ServiceSideContext): void {
  const locate = ({ caller, params }: { readonly caller: Caller; readonly params: { readonly id: string } }) =>
    locateDocument(context, serviceOf(caller).serviceId, params.id)
  bind({ operation: readDocumentRoute, locate, handle: ({ located }) => readDocument(context, located) })
  bind({
    operation: changeDocumentRoute,
    locate,
    handle: ({ located, body }) => changeDocument(context, located, body),
  })
  bind({
    operation: deleteDocumentRoute,
    locate,
    async handle({ located }): Promise<undefined> {
      await deleteDocument(context, located)
    },
  })
  bind({
    operation: uploadDocumentFile,
    locate,
    handle: ({ located, body }) => uploadFile(context, located, body),
  })
}

function bindFile(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: readDocumentFile,
    locate: ({ caller, params }) => locateDocument(context, serviceOf(caller).serviceId, params.id),
    async handle({ caller, located }) {
      const file = requireFile(located)
      return sendDownload(context, caller, file, file.mimeType)
    },
  })
}

export function requireFile({ recipient, rawFile }: StoredDocument) {
  if (recipient !== 'broadcast') throw refuse('documents.recipient_encrypted')
  if (rawFile === null) throw refuse('company_data.file_not_found')
  return rawFile
}

/** The service of a data client's token; ids sent by the caller are ignored. */
function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('service client without a service')
  return { companyId, serviceId }
}

/** A well-formed id of another version names no row, so the list is empty. */
const NO_ROW = '00000000-0000-0000-0000-000000000000'

export interface FilterQuery {
  readonly person_user_id?: string
  readonly connection_id?: string
  readonly status?: DocumentStatus
  readonly kind?: DocumentKind
}

export function readFilter(query: FilterQuery): DocumentFilter {
  return {
    customerId: readId(query.person_user_id),
    connectionId: readId(query.connection_id),
    status: query.status ?? null,
    kind: query.kind ?? null,
  }
}

function readId<Id extends string>(text: string | undefined): Id | null {
  if (text === undefined) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an id that no row has
  return parseUuid<Id>(text) ?? (NO_ROW as Id)
}
