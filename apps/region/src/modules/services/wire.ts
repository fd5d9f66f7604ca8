import { createHash } from 'node:crypto'
import type { PassphraseWrap } from '@sealpost/crypto'
import { type ChosenPlugin, orderSnapshot } from '@sealpost/flow'
import { formatInstant } from '@sealpost/kernel'
import type { Audience, DeletedService, FlowRow, LogRow, Progress, RequestRow, Service } from './model.ts'

export interface WireService {
  readonly id: string
  readonly name: string
  readonly share_code: string
  readonly admin_email: string
  readonly audience: Audience
  readonly number_matching: boolean
  readonly require_2fa: boolean
  readonly public_key: string
  readonly created_at: string
  readonly state: 'active' | 'applying' | 'deleted'
  readonly deleted_at?: string
  readonly progress?: { done: number; total: number }
}

/** `progress`: null while no row is being removed. */
export function serviceToWire(service: Service, progress: Progress | null): WireService {
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
    ...(progress === null ? { state: 'active' } : { state: 'applying', progress: progressToWire(progress) }),
  }
}

export function deletedToWire(service: DeletedService): WireService {
  return { ...serviceToWire(service, null), state: 'deleted', deleted_at: formatInstant(service.deletedAt) }
}

/** A job also visits connections that were made after it was counted. */
function progressToWire({ done, total }: Progress): { done: number; total: number } {
  return { done, total: Math.max(done, total) }
}

export interface WirePrivateKey {
  readonly public_key: string
  readonly encrypted_private_key: PassphraseWrap
  /** Only for a delegate, once the passphrase was handed over. */
  readonly sealed_passphrase: string | null
}

export interface WireRow {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly one_time: boolean
  readonly mandatory: boolean
  readonly mandatory_provide: boolean
  readonly mandatory_connected: boolean
  readonly verified: boolean
  readonly verified_max_age_days: number | null
  readonly plugin: Readonly<Record<string, unknown>> | null
}

/** The published rows, and those of flows, which follow them. The token is about the former only. */
export interface ListedRows<Row extends RequestRow = RequestRow> {
  readonly rows: readonly Row[]
  readonly flowRows: readonly FlowRow[]
}

/** For the service's own backend, which does not see the audience. */
export function rowsToWire({ rows, flowRows }: ListedRows): { request_fields: WireRow[]; config_token: string } {
  return { request_fields: [...rows.map(rowToWire), ...flowRows.map(flowRowToWire)], config_token: tokenOfRows(rows) }
}

export function rowsWithAudienceToWire({ rows, flowRows }: ListedRows): {
  request_fields: (WireRow & { readonly audience: Audience })[]
  config_token: string
} {
  const fields = rows.map((row) => ({ ...rowToWire(row), audience: row.audience }))
  const ofFlows = flowRows.map((row) => ({ ...flowRowToWire(row), audience: row.audience }))
  return { request_fields: [...fields, ...ofFlows], config_token: tokenOfRows(rows) }
}

export function countedRowsToWire({ rows, flowRows }: ListedRows<RequestRow & { readonly valueCount: number }>) {
  const { request_fields: fields, config_token } = rowsWithAudienceToWire({ rows, flowRows })
  return {
    request_fields: fields.map((field, place) => {
      const count = rows[place]?.valueCount
      return count === undefined ? field : { ...field, value_count: count }
    }),
    config_token,
  }
}

function flowRowToWire(row: FlowRow): WireRow & WireFlow {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    one_time: !row.isConnected,
    mandatory: row.isRequired || row.isConnected,
    mandatory_provide: row.isRequired,
    mandatory_connected: row.isConnected,
    verified: row.isVerified,
    verified_max_age_days: row.verifiedMaxAgeDays,
    plugin: row.plugin,
    flow_id: row.flowId,
    flow_name: row.flowName,
    flow_version: row.flowVersion,
  }
}

interface WireFlow {
  readonly flow_id: string
  readonly flow_name: string
  readonly flow_version: number
}

function rowToWire(row: RequestRow): WireRow {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    one_time: row.oneTime,
    mandatory: row.mandatoryProvide || row.mandatoryConnected,
    mandatory_provide: row.mandatoryProvide,
    mandatory_connected: row.mandatoryConnected,
    verified: row.verified,
    verified_max_age_days: row.verifiedMaxAgeDays,
    plugin: row.plugin,
  }
}

export function tokenOfRows(rows: readonly RequestRow[]): string {
  return configToken(rows.map(membersOf))
}

/** In a fixed order: the token must not depend on the order of an object's members. */
function membersOf(row: RequestRow): readonly unknown[] {
  const mandatory = [row.mandatoryProvide, row.mandatoryConnected]
  const verified = [row.verified, row.verifiedMaxAgeDays]
  const plugin = row.plugin === null ? null : pluginMembers(row.plugin)
  return [row.id, row.slug, row.label, row.type, row.oneTime, mandatory, row.audience, verified, plugin]
}

function pluginMembers(plugin: ChosenPlugin): readonly unknown[] {
  return [plugin.plugin_id, plugin.plugin_name, plugin.field_type, orderSnapshot(plugin.snapshot)]
}

/** The `config_token` of a configuration: a caller that sends it back has read exactly this one. */
export function configToken(config: unknown): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('base64url')
}

export interface WireShareConfig {
  readonly config_token: string
  readonly fields: { field_id: string; slug: string; label: string; type: string }[]
  readonly photo_ids: string[]
}

export function logToWire({ id, type, message, metadata, createdAt }: LogRow) {
  const at = formatInstant(createdAt)
  return { id, type, message, metadata, created_at: at, at }
}
