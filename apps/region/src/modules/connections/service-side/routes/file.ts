import { Readable } from 'node:stream'
import { answer } from '@sealpost/http'
import { formatInstant, parseUuid, type ConnectionId, type RequestFieldId } from '@sealpost/kernel'
import { readSlotFile, refuse } from '@sealpost/protocol'
import type { BindRoute } from '../../../../bind.ts'
import type { ServiceName } from '../../../services/index.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { findFile } from '../operations/read.ts'
import type { FileRow } from '../store/records.ts'
import { serviceOf } from './caller.ts'

export function bindFileRoute(bind: BindRoute, needs: ServiceSideNeeds): void {
  bind({
    operation: readSlotFile,
    locate: ({ caller, params }) => locateFile(needs, serviceOf(caller), params),
    async handle({ located: file }) {
      const { objectKey, sha256, contentType, form } = file
      const opened = objectKey === null ? null : await needs.objects.open(objectKey, sha256)
      if (opened === null || !opened.ok) throw refuse('company_data.file_not_found')
      const { bytes, sizeBytes } = opened.value
      const headers = {
        'content-type': form === 'raw' ? contentType : 'application/json; charset=utf-8',
        'content-length': sizeBytes,
        [needs.digestHeader]: sha256,
        // A stranger made this file: no browser may take it for a page of ours.
        'content-disposition': 'attachment',
        'x-content-type-options': 'nosniff',
        // The digest covers these bytes, so nothing on the way may compress them.
        'cache-control': 'private, no-store, no-transform',
      }
      return answer(Readable.from(bytes, { objectMode: false }), { headers })
    },
  })
}

interface FileParams {
  readonly connectionId: string
  readonly serviceFieldId: string
}

async function locateFile(needs: ServiceSideNeeds, name: ServiceName, params: FileParams): Promise<FileRow> {
  const connectionId = parseUuid<ConnectionId>(params.connectionId)
  const field = parseUuid<RequestFieldId>(params.serviceFieldId)
  const file = connectionId === null || field === null ? null : await findFile(needs, name, connectionId, field)
  if (file === null) throw refuse('company_data.file_not_found')
  const { sha256, expiresAt } = file
  if (expiresAt === null || expiresAt > needs.clock.now()) return file
  const details = { content_sha256: sha256, expired_at: formatInstant(expiresAt) }
  throw refuse('company_data.file_expired', details, { headers: { [needs.digestHeader]: sha256 } })
}
