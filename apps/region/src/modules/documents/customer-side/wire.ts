import { type ConnectionId, formatInstant } from '@sealpost/kernel'
import type { CustomerDocument, DocumentState, RecordDocument, RunSignature } from '@sealpost/protocol'
import type { Broadcast, Copy, Readable } from './model.ts'

/** `value`: the wrapper string of a JSON document, which may be in an object. */
export function copyToWire(
  copy: Copy,
  value: string | null,
  runSignatures: readonly RunSignature[] | null,
): CustomerDocument {
  const { id, connectionId, serviceId, contentSha256, plainSha256, sealedAt } = copy
  return {
    ...stateToWire(copy.state),
    connection_id: connectionId,
    service_id: serviceId,
    value: value ?? { _enc_file: id },
    content_sha256: contentSha256,
    plain_sha256: plainSha256,
    sealed_at: sealedAt === null ? null : formatInstant(sealedAt),
    ...(runSignatures === null ? {} : { run_signatures: [...runSignatures] }),
  }
}

/** `value`: the JSON text of a broadcast that is no file. */
export function broadcastToWire(
  { id, serviceId, facts }: Broadcast,
  connectionId: ConnectionId,
  value: string | null,
): CustomerDocument {
  const path = `/api/company-connections/${connectionId}/documents/${id}/file`
  return {
    ...stateToWire(facts.state),
    connection_id: connectionId,
    service_id: serviceId,
    value: value === null ? { file: path, ...facts.file } : JSON.parse(value),
    content_sha256: null,
    plain_sha256: null,
    sealed_at: null,
  }
}

function stateToWire({ rev: _rev, run_id: _run, output_key: _output, ...state }: DocumentState) {
  return state
}

/** In the record of a connection: the content as an object. What no message holds has a file, like long JSON. */
export function recordToWire(readable: Readable, runs: ReadonlyMap<string, readonly RunSignature[]>): RecordDocument {
  if (readable.form === 'broadcast') {
    const { broadcast, connectionId } = readable
    const shown = broadcastToWire(broadcast, connectionId, broadcast.facts.value)
    return broadcast.facts.value === null ? { ...shown, value: { _enc_file: broadcast.id } } : shown
  }
  const { state, content } = readable.copy
  const signatures = state.run_id === null ? null : (runs.get(state.run_id) ?? [])
  const shown = copyToWire(readable.copy, content.value, signatures)
  return content.value === null ? shown : { ...shown, value: JSON.parse(content.value) }
}
