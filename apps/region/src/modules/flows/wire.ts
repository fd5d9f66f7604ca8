import { createHash } from 'node:crypto'
import { definitionToJson } from '@sealpost/flow'
import { formatInstant } from '@sealpost/kernel'
import type { TemplateScan } from '@sealpost/pdf-format'
import type { RequestRow } from '../services/index.ts'
import type { FlowVersion } from './model.ts'
import type { Asset, FlowDraft, FlowSummary, VersionSummary } from './model.ts'

export function summaryToWire({ id, name, publishedVersion, createdAt, updatedAt }: FlowSummary) {
  return {
    id,
    name,
    published_version: publishedVersion,
    created_at: formatInstant(createdAt),
    updated_at: formatInstant(updatedAt),
  }
}

export function draftToWire(draft: FlowDraft) {
  const definition = definitionToJson(draft.definition)
  return { ...summaryToWire({ ...draft, id: draft.flowId }), definition, draft_token: draftToken(draft) }
}

/** Equal for equal drafts: a caller that sends it back has read exactly this one. */
export function draftToken({ name, definition }: Pick<FlowDraft, 'name' | 'definition'>): string {
  return createHash('sha256')
    .update(JSON.stringify([name, definitionToJson(definition)]))
    .digest('base64url')
}

export function versionToWire({ version, name, publishedAt, publishedBy }: VersionSummary) {
  return { version, name, published_at: formatInstant(publishedAt), published_by: publishedBy }
}

export function publishedToWire({ version, definition }: FlowVersion, rows: readonly RequestRow[]) {
  const types = Object.fromEntries(rows.map(({ slug, type }) => [slug, type]))
  return { version, definition: definitionToJson(definition), request_field_types: types }
}

export function assetToWire({ key, kind, mimeType, originalName, sha256, bytes, createdAt }: Asset) {
  return {
    asset_key: key,
    kind,
    mime_type: mimeType,
    original_name: originalName,
    size: bytes,
    content_sha256: sha256,
    created_at: formatInstant(createdAt),
  }
}

/** `isKnown`: whether the draft has a value for a tag. */
export function tagsToWire(assetKey: string, scan: TemplateScan, isKnown: (tag: string) => boolean) {
  return {
    asset_key: assetKey,
    pages: scan.pages,
    tags: scan.tags.map(({ fontSize, ...tag }) => ({ ...tag, font_size: fontSize, known: isKnown(tag.key) })),
    unknown: scan.keys.filter((key) => !isKnown(key)),
    leftovers: [...scan.leftovers],
    unreadable: [...scan.unreadable],
    truncated: scan.isCut,
  }
}
