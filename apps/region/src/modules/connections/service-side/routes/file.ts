import { formatInstant, parseUuid, type RequestFieldId } from '@sealpost/kernel'
import { readSlotFile, refuse } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import { SEALED_TYPE, sendDownload } from '../../../../platform/downloads.ts'
import { digestHeader } from '../../../../settings.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { FileRow } from '../model.ts'
import { findFile } from '../operations/read-connections.ts'
import { readConnectionId, serviceOf } from './caller.ts'

export function bindFileRoute(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: readSlotFile,
    locate: ({ caller, params }) => locateFile(context, serviceOf(caller), params),
    async handle({ caller, located: file }) {
      const { objectKey, sha256, contentType, form } = file
      if (objectKey === null) throw refuse('company_data.file_not_found')
      return sendDownload(context, caller, { objectKey, sha256 }, form === 'raw' ? contentType : SEALED_TYPE)
    },
  })
}

interface FileParams {
  readonly connectionId: string
  readonly serviceFieldId: string
}

async function locateFile(context: ServiceSideContext, name: ServiceName, params: FileParams): Promise<FileRow> {
  const connectionId = readConnectionId(params.connectionId)
  const field = parseUuid<RequestFieldId>(params.serviceFieldId)
  if (field === null) throw refuse('company_data.file_not_found')
  const file = await findFile(context, name, connectionId, field)
  const { sha256, expiresAt } = file
  if (expiresAt === null || expiresAt > context.clock.now()) return file
  const details = { content_sha256: sha256, expired_at: formatInstant(expiresAt) }
  throw refuse('company_data.file_expired', details, { headers: { [digestHeader(context.settings)]: sha256 } })
}
